import ipaddr from 'ipaddr.js'
import { z } from 'zod'

import { withoutBrackets } from './files/fetch/address-rules'

/** What an address has besides its origin and its path, which nothing here would use. */
const EXTRAS: [what: string, has: (url: URL) => boolean][] = [
  ['a user name or password', ({ username, password }) => username !== '' || password !== ''],
  ['a query', ({ search }) => search !== ''],
  ['a fragment', ({ hash }) => hash !== ''],
]

/** An http or https address of a server, which may have a path, and nothing that would be ignored. */
export const serverAddress = (error = 'must be an http or https address') =>
  z.url({ protocol: /^https?$/, error }).transform((text, context) => {
    const unused = listExtras(new URL(text))
    if (unused.length > 0) context.addIssue(`must be an address without ${unused.join(' and ')}`)
    return text
  })

/**
 * An http or https address that is nothing but an origin, with or without a slash at its end. The product is not
 * served under a path: its pages, its cookie and its addresses begin at the root. Returns the origin.
 */
export const originAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((text, context) => {
    const url = new URL(text)
    const unused = [
      ...(url.pathname === '/' ? [] : [`the path ${url.pathname}`]),
      ...listExtras(url),
    ]
    if (unused.length > 0) {
      const message = `must be ${url.origin}, without ${unused.join(' and ')}: the product is served at the root of a host only`
      context.addIssue(message)
    }
    return url.origin
  })

/** Whether only this machine answers at a name or an address, which may have the brackets of a URL. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host).toLowerCase()
  return (
    name === 'localhost' || (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
  )
}

const listExtras = (url: URL) => EXTRAS.flatMap(([what, has]) => (has(url) ? [what] : []))
