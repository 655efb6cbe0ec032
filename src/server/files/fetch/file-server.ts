/** How we sign in to a server of SFTP or FTP, and what of it is accepted. */
export interface FileServerAccess {
  /** Undefined: without a name, as servers of FTP allow. */
  login?: FileServerLogin | undefined
  /** Of SFTP: the keys by which the server is known, as `parseHostKey` reads them. */
  hostKeys: readonly string[]
  /** Of FTP: whether the connection changes to TLS before anything is said. */
  usesTls: boolean
  /** Whether methods are accepted that are not safe any more, for servers that know no others. */
  allowsOld: boolean
}

export interface FileServerLogin {
  username: string
  password?: string | undefined
  /** In PEM, without a passphrase. */
  privateKey?: string | undefined
}
