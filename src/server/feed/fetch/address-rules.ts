import { isIPv6 } from 'node:net'

import ipaddr from 'ipaddr.js'

import { URL_MAX_LENGTH } from '../../../shared/constants'
import { FeedError } from '../feed-error'

/** What `FETCH_ALLOW` opens although it is private. */
export interface FetchAllow {
  /** `host:port` as in a URL: a name or an address, lower case, IPv6 in brackets. */
  endpoints: ReadonlySet<string>
  addresses: ReadonlySet<string>
  ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]
}

export type AddressClass = 'public' | 'private' | 'metadata'

/** Where clouds hand out their credentials. Never opened by a range or by a name. */
const METADATA_ADDRESSES = new Set(
  [
    '169.254.169.254', // nearly all
    'fd00:ec2::254', // AWS
    '169.254.170.2', // AWS, containers
    '169.254.170.23', // AWS, pods
    'fd00:ec2::23',
    'fd20:ce::254', // Google
    '168.63.129.16', // Azure
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    '169.254.42.42', // Scaleway
    'fd00:42::42',
    'fe80::a9fe:a9fe', // OpenStack
  ].map((address) => ipaddr.parse(address).toNormalizedString()),
)

/** The only block of IPv6 that is given out for the public internet. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv6 by which gateways reach IPv4: the range, and at which byte the IPv4 address stands. */
const IPV4_INSIDE = (
  [
    ['64:ff9b::/96', 12],
    ['64:ff9b:1::/48', 12],
    ['2002::/16', 2],
    ['::/96', 12],
    ['::ffff:0:0:0/96', 12],
  ] as const
).map(([range, byte]) => ({ range: ipaddr.IPv6.parseCIDR(range), byte }))

/** From the browsers' list of blocked ports: services that a request could be smuggled into. */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 9100, 10_080, 11_211,
])

/** One text for every refused address and port, so that nobody can map the inner network by trying. */
export function addressRefused(): FeedError {
  return new FeedError('address-refused', 'This address cannot be reached from here.')
}

/**
 * Reads the entries of `FETCH_ALLOW`: exact `host:port`, IP or CIDR.
 * @throws Error naming the entry that is none of these; this is for the operator, not a supplier.
 */
export function parseFetchAllow(entries: readonly string[]): FetchAllow {
  const endpoints = new Set<string>()
  const addresses = new Set<string>()
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = []
  for (const entry of entries.map((text) => text.trim()).filter((text) => text !== '')) {
    const bare = entry.replace(/^\[(.*)\]$/, '$1')
    const endpoint = parseEndpoint(entry)
    if (canJudge(bare)) addresses.add(normalizeAddress(bare))
    else if (entry.includes('/') && ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (endpoint) endpoints.add(endpoint)
    else throw new Error(`FETCH_ALLOW: "${entry}" is not host:port, an IP address or a CIDR range`)
  }
  return { endpoints, addresses, ranges }
}

function parseEndpoint(entry: string): string | undefined {
  const match = /^(\[[\da-f:.]+\]|[^\s/:@?#[\]*]+):(\d{1,5})$/i.exec(entry)
  const port = Number(match?.[2])
  if (!match?.[1] || port < 1 || port > 65_535 || !URL.canParse(`http://${match[1]}`))
    return undefined
  return endpointKey(new URL(`http://${match[1]}`).hostname, port)
}

/** Only complete spellings: `ipaddr.js` also takes `10.1`, which a range would read differently. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || isIPv6(text)
}

/** An address with a zone (`fe80::1%eth0`) belongs to one of our own networks. */
function canJudge(text: string): boolean {
  return isAddress(text) && !text.includes('%')
}

function normalizeAddress(address: string): string {
  return parseAddress(address).toNormalizedString()
}

/** `ipaddr.js` takes `::8.8.8.8` for 8.8.8.8, a socket does not; so no dots reach it in IPv6. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const isDottedIpv6 = address.includes(':') && address.includes('.')
  const text = isDottedIpv6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
  return ipaddr.process(text)
}

function endpointKey(host: string, port: number): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return `${canJudge(bare) ? normalizeAddress(bare) : host.toLowerCase()} ${port}`
}

/** What kind of address this is, judged without `FETCH_ALLOW`. What cannot be read is private. */
export function classifyAddress(address: string): AddressClass {
  if (!canJudge(address)) return 'private'
  const parsed = parseAddress(address)
  if (isMetadata(parsed)) return 'metadata'
  if (parsed.range() !== 'unicast') return 'private'
  const isPublic = parsed instanceof ipaddr.IPv4 || parsed.match(PUBLIC_IPV6)
  return isPublic ? 'public' : 'private'
}

/** Also behind a gateway that a range of `FETCH_ALLOW` may have opened. */
function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (METADATA_ADDRESSES.has(address.toNormalizedString())) return true
  if (address instanceof ipaddr.IPv4) return false
  return IPV4_INSIDE.some(
    ({ range, byte }) =>
      address.match(range) &&
      METADATA_ADDRESSES.has(
        address
          .toByteArray()
          .slice(byte, byte + 4)
          .join('.'),
      ),
  )
}

/** Whether a connection to `host:port` may go to `address`, which is `host` or an answer for it. */
export function isAddressAllowed(
  allow: FetchAllow,
  { host, port, address }: { host: string; port: number; address: string },
): boolean {
  const verdict = classifyAddress(address)
  if (verdict === 'public') return true
  if (!canJudge(address)) return false
  const parsed = parseAddress(address)
  const normalized = parsed.toNormalizedString()
  if (allow.addresses.has(normalized) || allow.endpoints.has(`${normalized} ${port}`)) return true
  if (verdict === 'metadata') return false
  return (
    allow.endpoints.has(endpointKey(host, port)) ||
    allow.ranges.some(
      ([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits),
    )
  )
}

/**
 * Judges what can be judged of an address before a connection is made.
 * @throws FeedError `bad-address` for its shape, `address-refused` for its port.
 */
export function checkUrl(text: string, allow: FetchAllow): URL {
  // The length first: a name in other scripts takes long to read.
  const url = text.length <= URL_MAX_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new FeedError('bad-address', 'Only http:// and https:// addresses can be fetched.')
  }
  if (url.username || url.password) {
    throw new FeedError('bad-address', 'The address must not contain a user name or password.')
  }
  const port = portOf(url)
  const isOpenPort = port === 80 || port === 443 || (port >= 1_024 && !BAD_PORTS.has(port))
  if (!isOpenPort && !allow.endpoints.has(endpointKey(url.hostname, port))) throw addressRefused()
  return url
}

/** The port of a URL, with the protocol's own where none is written. */
export function portOf(url: { protocol: string; port: string }): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
