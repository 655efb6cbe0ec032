import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The client address that rate limits count by. IPv6 addresses are reduced to their /64 network,
 * because a single subscriber usually has all of it.
 */
export function readClientAddress({ ip, socket }: FastifyRequest): string {
  // A proxy may also send `unknown`, or append a port: then all of its clients count as one.
  const text = ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '')
  if (!ipaddr.isValid(text)) return ''
  const address = ipaddr.process(text)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const network = address.parts.map((part, index) => (index < 4 ? part : 0))
  return `${new ipaddr.IPv6(network).toString()}/64`
}

/**
 * Logs a warning, once, when an untrusted proxy forwards requests: all its clients would count as
 * one address and share its limits.
 */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    done()
    const isIgnored = 'x-forwarded-for' in request.headers && (request.ips?.length ?? 0) < 2
    if (!isIgnored || hasWarned) return
    hasWarned = true
    request.log.warn(
      { peer: request.socket.remoteAddress },
      'X-Forwarded-For is ignored, because TRUST_PROXY does not name the peer that sent it',
    )
  })
}
