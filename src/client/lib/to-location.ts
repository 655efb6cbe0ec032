import { defaultParseSearch } from '@tanstack/react-router'

/** Takes an address within the product apart, as links take it: they read no query and no part in a path. */
export function toLocation(address: string) {
  const { pathname, search, hash } = new URL(address, window.location.origin)
  return { to: pathname, search: defaultParseSearch(search), hash: hash.slice(1) }
}
