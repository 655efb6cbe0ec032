import { readParts } from './file-server-address'
import { decodeOrKeep } from './percent-encoding'

/** What an address that was typed holds besides the place of the file. */
export interface TypedAddress {
  /** The place alone, as it is stored. */
  address: string
  username?: string
  password?: string
  /** It is said to change to TLS, which its scheme does not tell. */
  usesTls?: true
}

/** Spellings of other programs for FTP that begins in the clear and changes to TLS. */
const EXPLICIT_TLS = /^(?:ftp\+ssl|ftpes):/i

/** Takes the user name and password out of an address, which is stored without them. */
export function splitTypedAddress(typed: string): TypedAddress {
  const parts = readParts(typed.replace(EXPLICIT_TLS, 'ftp:'))
  if (!parts) return splitWebAddress(typed)
  const { protocol, login = '', authority, server, path } = parts
  const [, username, password] = /^([^:]*)(?::(.*))?$/su.exec(login) ?? []
  return {
    address: `${protocol}//${server?.host ?? authority}${path}`,
    ...toLogin(username, password),
    ...(EXPLICIT_TLS.test(typed) && { usesTls: true as const }),
  }
}

function splitWebAddress(typed: string): TypedAddress {
  const url = /^https?:/i.test(typed) && URL.canParse(typed) ? new URL(typed) : undefined
  if (!url?.username) return { address: typed }
  const { username, password } = url
  url.username = ''
  url.password = ''
  return { address: url.href, ...toLogin(username, password) }
}

const toLogin = (username = '', password = '') => ({
  ...(username && { username: decodeOrKeep(username) }),
  ...(password && { password: decodeOrKeep(password) }),
})
