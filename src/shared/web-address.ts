import { URL_MAX_LENGTH } from './constants'

/** Control characters, and bidirectional overrides, which can disguise a name or an address. */
export const UNSAFE_CHARACTERS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

const BARE_DOMAIN = /^[^\s/\\?#@:.]+(?:\.[^\s/\\?#@:.]+)+\.?(?::\d{1,5})?(?:[/?#]\S*)?$/u

/** What begins with a host: a domain, `localhost` or an IP address, perhaps with a port and a path. */
const BARE_ADDRESS =
  /^(?:[^\s/\\?#@:.[\]]+(?:\.[^\s/\\?#@:.[\]]+)+\.?|localhost|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#].*)?$/iu

/** Puts `https://` before an address without a scheme. Anything else stays as it is. */
export function withHttps(text: string): string {
  const address = text.trim()
  const isBare = text.length <= URL_MAX_LENGTH && BARE_ADDRESS.test(address)
  return isBare ? `https://${address}` : text
}

/** The link to a store: bare domains become https URLs; undefined when it is no web address. */
export function storeUrlToHref(text: string): string | undefined {
  if (text.length > URL_MAX_LENGTH) return undefined
  if (UNSAFE_CHARACTERS.test(text) || !text.isWellFormed()) return undefined
  const address = /^https?:\/\//i.test(text)
    ? text
    : BARE_DOMAIN.test(text)
      ? `https://${text}`
      : ''
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.username || url.password ? undefined : url.href
}
