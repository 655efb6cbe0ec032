import { decodeOrKeep } from './percent-encoding'
import { SOURCE_SCHEMES } from './source-schemes'

/** Whether the name of the file stands for several, of which the newest is read. */
export const hasPattern = (address: string): boolean =>
  (readFilePlace(address)?.path ?? '').includes('*')

/** Where a file is at a server of SFTP or FTP. */
export interface FilePlace {
  protocol: FileServerProtocol
  /** As it is connected to; IPv6 addresses have brackets. */
  hostname: string
  port: number
  /** `hostname`, with the port if it is not the default one. */
  host: string
  /** Not encoded in any way; begins with a slash. */
  path: string
}

export type FileServerProtocol = 'sftp:' | 'ftp:' | 'ftps:'

const ADDRESS = /^(sftp|ftps?):\/\/(?:([^/]*)@)?([^/@]*)(\/.*)?$/isu
const AUTHORITY = /^(\[[\da-f:.]+\]|[^\s:@[\]/?#\\%]+)(?::(\d{1,5}))?$/iu
const CONTROL = /\p{Cc}/u

const FILE_SERVER_EXAMPLE = 'sftp://files.example.com/stock.csv'

/** The name of a user would be taken for that of the server, and the rest of the password for a path. */
const SLASH_IN_PASSWORD =
  'Leave the user name and password out of the address: a / in a password cannot be told from the path'

export const isFileServerAddress = (address: string): boolean =>
  /^(?:sftp|ftps?):\/\//i.test(address)

/** What is wrong with an address at a server of files, for who entered it; undefined if nothing is. */
export function describeFilePlaceProblem(address: string): string | undefined {
  const { server, path: typed = '' } = readParts(address) ?? {}
  if (!server) {
    return `Enter the server and the file, for example ${FILE_SERVER_EXAMPLE}`
  }
  const path = decodeOrKeep(typed)
  if (!/[.:]/.test(server.hostname) && typed.includes('@')) return SLASH_IN_PASSWORD
  if (path === '' || path.endsWith('/')) {
    return `Enter the file at the server too, for example ${FILE_SERVER_EXAMPLE}`
  }
  // A web address has it for a slash: what would be taken for a part of the path differs.
  if (typed.includes('\\')) return 'Write / instead of \\ in the path of the file'
  if (path.slice(0, path.lastIndexOf('/')).includes('*')) {
    return 'Only the name of the file may have a *, which stands for any text: not its folder'
  }
  if (CONTROL.test(path)) return 'The path of the file contains characters that are not allowed'
  return undefined
}

/** Undefined for an address that is not one of a file at such a server, or that has a user name in it. */
export function readFilePlace(address: string): FilePlace | undefined {
  const { protocol, login, server, path } = readParts(address) ?? {}
  if (!protocol || !server || path === undefined || login !== undefined) return undefined
  if (describeFilePlaceProblem(address) !== undefined) return undefined
  return { protocol, ...server, path: decodeOrKeep(path) }
}

/** What an address at such a server consists of, as it was typed; undefined for every other one. */
export function readParts(address: string) {
  const [, scheme, login, authority = '', path = ''] = ADDRESS.exec(address) ?? []
  if (scheme === undefined) return undefined
  const protocol = `${scheme.toLowerCase()}:` as FileServerProtocol
  return { protocol, login, authority, server: readAuthority(protocol, authority), path }
}

/** Host names are read as in web addresses: other forms of an IP address become the usual one. */
function readAuthority(protocol: FileServerProtocol, authority: string) {
  const [, name = '', portText] = AUTHORITY.exec(authority) ?? []
  if (name === '' || !URL.canParse(`http://${name}/`)) return undefined
  const { hostname } = new URL(`http://${name}/`)
  const { port: standard } = SOURCE_SCHEMES[protocol]
  const port = portText === undefined ? standard : Number(portText)
  if (port < 1 || port > 65_535) return undefined
  return { hostname, port, host: port === standard ? hostname : `${hostname}:${port}` }
}
