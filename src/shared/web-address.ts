import { URL_MAX_LENGTH } from './constants'

/** Control characters, and bidirectional overrides, which can disguise a name or an address. */
export const UNSAFE_CHARACTERS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

const BARE_DOMAIN = /^[^\s/\\?#@:.]+(?:\.[^\s/\\?#@:.]+)+\.?(?::\d{1,5})?(?:[/?#]\S*)?$/u

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
