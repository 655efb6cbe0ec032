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

/** What a server of files says of one. */
export interface FileState {
  bytes: number
  /** Unix milliseconds by the clock of the server; null if it does not say. */
  changedAt: number | null
}

/** An entry of a folder at a server. */
export interface FolderEntry {
  name: string
  /** Unix milliseconds; null if the server does not say. */
  changedAt: number | null
  isFolder: boolean
}

/** What is asked of a server of files, by paths there; all of it throws FileErrors. */
export interface FileServer {
  /** As the server calls the path of an address. */
  toPath: (path: string) => string
  look: (path: string) => Promise<FileState>
  /** The entries of a folder as they arrive. */
  list: (folder: string) => AsyncIterable<readonly FolderEntry[]>
  /** The bytes of a file, from the start to the end. */
  read: (path: string, state: FileState) => AsyncGenerator<Buffer>
  rename: (from: string, to: string) => Promise<void>
  makeFolder: (path: string) => Promise<void>
  remove: (path: string) => Promise<void>
}
