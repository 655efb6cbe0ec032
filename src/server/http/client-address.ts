import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * Whom a request counts for when nobody is signed in: the address it comes from. An IPv6 address
 * counts as its /64, which one connection has all of.
 */
export function readClientAddress({ ip, socket }: FastifyRequest): string {
  // A proxy may also say `unknown`, or add a port: then all of its visitors count as one.
  const text = ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '')
  if (!ipaddr.isValid(text)) return ''
  const address = ipaddr.process(text)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const network = address.parts.map((part, index) => (index < 4 ? part : 0))
  return `${new ipaddr.IPv6(network).toString()}/64`
}

/**
 * Says once when a proxy that is not trusted stands in front: all its visitors count as one address,
 * and would hold each other up.
 */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false
  app.addHook('onRequest', async (request) => {
    const isIgnored = 'x-forwarded-for' in request.headers && (request.ips?.length ?? 0) < 2
    if (!isIgnored || hasWarned) return
    hasWarned = true
    request.log.warn(
      { peer: request.socket.remoteAddress },
      'X-Forwarded-For is ignored, because TRUST_PROXY does not name the peer that sent it',
    )
  })
}
