import { isIP } from 'node:net'

import type { FastifyInstance } from 'fastify'

/** A name or an address of four numbers, or an IPv6 address in brackets; then a port. */
const HOST = /^(?:\[([\da-f:.]{2,45})\]|([a-z\d._-]{1,253}))(?::\d{1,5})?$/i

/**
 * Refuses requests to a name that is not ours: any website can let its own name lead to this machine,
 * and its pages then are of our origin. That does not work with `localhost` and IP addresses, which are
 * always answered, as health checks need.
 * @param publicUrl its name is answered as well, also if only a trusted proxy forwards it: many ask us by a name of
 * their own. A page that makes the forwarded host up has no cookie of ours, and the cross-site guard refuses its writes.
 * @param hint without a public URL: what to do to use a name
 */
export function refuseOtherHosts(
  app: FastifyInstance,
  publicUrl: string | undefined,
  hint = 'To use a name, set PUBLIC_URL to the address with it.',
): void {
  const ourName = readOurName(publicUrl)
  const message = ourName
    ? `This address is not used here. Open ${publicUrl}, which is set as PUBLIC_URL.`
    : `Only localhost and IP addresses are used here. ${hint}`
  app.addHook('onRequest', (request, reply, done) => {
    // With a public URL, a forwarded host closes nothing. `request.host` is one only of a trusted proxy.
    const host = ourName === undefined ? request.host : (request.headers.host ?? '')
    const isForwarded = ourName !== undefined && toName(request.host) === ourName
    if (isForwarded || isOurHost(host, ourName)) done()
    else reply.status(421).send({ message })
  })
}

/** The name of a public URL. */
export function readOurName(publicUrl: string | undefined): string | undefined {
  return publicUrl === undefined ? undefined : toName(new URL(publicUrl).host)
}

/** Without a host, a request is of no browser: for example, the health check of a load balancer. */
export function isOurHost(host: string, ourName: string | undefined): boolean {
  if (host === '') return true
  const name = toName(host)
  return name !== undefined && (name === ourName || name === 'localhost' || isIP(name) !== 0)
}

/** In lower case, and without the dot that may end a name. */
function toName(host: string): string | undefined {
  const [, address, name] = HOST.exec(host) ?? []
  return (address ?? name?.replace(/\.$/, ''))?.toLowerCase()
}
