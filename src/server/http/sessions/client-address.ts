import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

import { toCountedAddress } from '../../domain/networks'

const MAX_ADDRESS_LENGTH = 45

/**
 * The client address that rate limits count by. IPv6 addresses are reduced to their /64 network,
 * because a single subscriber usually has all of it.
 */
export function readClientAddress({ ip, socket }: FastifyRequest): string {
  return countedAddress(ip, socket.remoteAddress)
}

/** @param forwarded by a trusted proxy */
export function countedAddress(forwarded: string | undefined, peer = ''): string {
  // A proxy may also send `unknown`, or append a port: then all of its clients count as one.
  return toCounted(forwarded ?? peer) ?? toCounted(peer) ?? ''
}

/** Parsing takes longer than most of what a request needs, and clients make many requests. */
const parsed = new LRUCache<string, { counted: string | undefined }>({ max: 10_000 })

function toCounted(text: string): string | undefined {
  const known = parsed.get(text)
  if (known) return known.counted
  const counted = toCountedAddress(text)
  // No address is longer; what else a proxy forwards must not fill the memory.
  if (text.length <= MAX_ADDRESS_LENGTH) parsed.set(text, { counted })
  return counted
}

/** The network that a counted address is of: a provider gives other addresses of it to the same people. */
export function networkOf(counted: string): string {
  const [address = ''] = counted.split('/')
  if (ipaddr.IPv4.isValid(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  if (!ipaddr.IPv6.isValid(address)) return ''
  const network = ipaddr.IPv6.parse(address).parts.map((part, index) => (index < 3 ? part : 0))
  return `${new ipaddr.IPv6(network).toString()}/48`
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
