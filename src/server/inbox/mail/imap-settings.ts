/** Where mails are fetched from. It is told to the process that needs it, and to no other. */
export interface ImapSettings {
  host: string
  port: number
  /** `tls` from the start, or after a plain beginning; `none` only on this machine. */
  security: 'tls' | 'starttls' | 'none'
  username: string
  password: string | null
  /** By which access tokens are fetched; instead of a password. */
  tokens: TokenSettings | null
  folder: string
  /** Where settled mails are moved; null: they stay, and are marked as seen. */
  doneFolder: string | null
}

export interface TokenSettings {
  url: string
  clientId: string
  clientSecret: string | null
  /** What a person has granted; without one, the client acts for itself. */
  refreshToken: string | null
  scope: string | null
}
