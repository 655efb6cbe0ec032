import type { SourceAuthType } from './schemas/source-auth'

/** How a file is fetched from an address of each scheme. */
interface SourceScheme {
  /** The name of its protocol. */
  name: string
  /** Where its servers listen, unless the address says otherwise. */
  port: number
  /** The kinds of credentials that it takes. */
  access: readonly SourceAuthType[]
  /** What to enter if it takes none of those given. */
  accessHint: string
}

const WEB_ACCESS = ['none', 'basic', 'bearer', 'header'] as const
const WEB_HINT = 'This kind of credentials is not for a web address: choose another one'
const FTP_HINT = 'Enter the user name and password of the FTP server, or none'

export const SOURCE_SCHEMES = {
  'http:': { name: 'HTTP', port: 80, access: WEB_ACCESS, accessHint: WEB_HINT },
  'https:': { name: 'HTTPS', port: 443, access: WEB_ACCESS, accessHint: WEB_HINT },
  's3:': {
    name: 'S3',
    port: 443,
    access: ['s3'],
    accessHint: 'A file in a bucket needs a key pair: enter it under Access',
  },
  'sftp:': {
    name: 'SFTP',
    port: 22,
    access: ['basic', 'ssh-key'],
    accessHint:
      'An SFTP server needs a user name, with a password or a private key: enter them under Access',
  },
  'ftp:': { name: 'FTP', port: 21, access: ['none', 'basic'], accessHint: FTP_HINT },
  'ftps:': { name: 'FTPS', port: 990, access: ['none', 'basic'], accessHint: FTP_HINT },
} as const satisfies Record<string, SourceScheme>

export type SourceProtocol = keyof typeof SOURCE_SCHEMES

/** By which an address begins; undefined for one from which nothing can be fetched. */
export function protocolOf(address: string): SourceProtocol | undefined {
  const protocol = /^[a-z\d]{1,10}:/i.exec(address.trim())?.[0].toLowerCase() ?? ''
  return Object.hasOwn(SOURCE_SCHEMES, protocol) ? (protocol as SourceProtocol) : undefined
}

/** The scheme of an address, likewise. */
export function findScheme(address: string): SourceScheme | undefined {
  const protocol = protocolOf(address)
  return protocol && SOURCE_SCHEMES[protocol]
}
