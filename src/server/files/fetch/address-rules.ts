import { isIPv6 } from 'node:net'

import ipaddr from 'ipaddr.js'

import { URL_MAX_LENGTH } from '../../../shared/constants'
import { FileError } from '../file-error'

/** The private addresses that `FETCH_ALLOW` allows. */
export interface FetchAllow {
  /** `host:port` as in a URL: a name or an address, lower case, IPv6 in brackets. */
  endpoints: ReadonlySet<string>
  addresses: ReadonlySet<string>
  ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]
}

export type AddressClass = 'public' | 'private' | 'metadata'

/** Cloud metadata services, which hand out credentials. Never allowed by a range or by a name. */
const METADATA_ADDRESSES = new Set(
  [
    '169.254.169.254', // nearly all clouds
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

/** The only block of IPv6 that is allocated for the public internet. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv6 ranges that gateways translate to IPv4, and the byte at which the IPv4 address begins. */
const IPV4_INSIDE = (
  [
    ['64:ff9b::/96', 12],
    ['64:ff9b:1::/48', 12],
    ['2002::/16', 2],
    ['::/96', 12],
    ['::ffff:0:0:0/96', 12],
  ] as const
).map(([range, byte]) => ({ range: ipaddr.IPv6.parseCIDR(range), byte }))

/**
 * From the browsers' list of blocked ports: services that could take an HTTP request for commands of
 * their own. Below 1024, all ports but 80 and 443 are refused anyway.
 */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 9100, 10_080, 11_211,
])

/** The same text for every refused address and port, so that the network cannot be mapped by trying. */
export const ADDRESS_REFUSED = 'Private addresses and unusual ports are not contacted from here.'

export function addressRefused(): FileError {
  return new FileError('address-refused', ADDRESS_REFUSED)
}

/** A text of its own, so that nobody is advised to allow what somebody else's server redirects to. */
export function redirectRefused(): FileError {
  const message =
    'The server redirects to a private address or an unusual port. These are not contacted from here.'
  return new FileError('address-refused', message)
}

/**
 * Parses the entries of `FETCH_ALLOW`: exact `host:port`, IP address or CIDR range.
 * @throws Error, written for the operator, that names an invalid entry
 */
export function parseFetchAllow(entries: readonly string[]): FetchAllow {
  const endpoints = new Set<string>()
  const addresses = new Set<string>()
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = []
  for (const entry of entries.map((text) => text.trim()).filter((text) => text !== '')) {
    const bare = withoutBrackets(entry)
    const endpoint = parseEndpoint(entry)
    if (canClassify(bare)) addresses.add(normalizeAddress(bare))
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

/** Accepts complete addresses only: `ipaddr.js` also parses short forms such as `10.1`. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || isIPv6(text)
}

/** False for an address with a zone (`fe80::1%eth0`): it is always in one of our own networks. */
function canClassify(text: string): boolean {
  return isAddress(text) && !text.includes('%')
}

function normalizeAddress(address: string): string {
  return parseAddress(address).toNormalizedString()
}

/** `ipaddr.js` reads `::8.8.8.8` as 8.8.8.8, unlike a socket; so dots in IPv6 are converted first. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const isDottedIpv6 = address.includes(':') && address.includes('.')
  const text = isDottedIpv6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
  return ipaddr.process(text)
}

function endpointKey(host: string, port: number): string {
  const bare = withoutBrackets(host)
  return `${canClassify(bare) ? normalizeAddress(bare) : host.toLowerCase()} ${port}`
}

/** The class of an address, regardless of `FETCH_ALLOW`; text that is not an address is private. */
export function classifyAddress(address: string): AddressClass {
  if (!canClassify(address)) return 'private'
  const parsed = parseAddress(address)
  if (isMetadata(parsed)) return 'metadata'
  if (parsed.range() !== 'unicast') return 'private'
  const isPublic = parsed instanceof ipaddr.IPv4 || parsed.match(PUBLIC_IPV6)
  return isPublic ? 'public' : 'private'
}

/** Recognises metadata addresses in their IPv6 forms too, which a range may have allowed. */
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

/** Whether `host:port` may be reached at `address`, which is `host` itself or what it resolves to. */
export function isAddressAllowed(
  allow: FetchAllow,
  { host, port, address }: { host: string; port: number; address: string },
): boolean {
  const addressClass = classifyAddress(address)
  if (addressClass === 'public') return true
  if (!canClassify(address)) return false
  const parsed = parseAddress(address)
  const normalized = parsed.toNormalizedString()
  if (allow.addresses.has(normalized) || allow.endpoints.has(`${normalized} ${port}`)) return true
  if (addressClass === 'metadata') return false
  return (
    allow.endpoints.has(endpointKey(host, port)) ||
    allow.ranges.some(
      ([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits),
    )
  )
}

/**
 * Checks a URL before its host is resolved.
 * @throws FileError `bad-address` for its form, `address-refused` for its port
 */
export function checkUrl(text: string, allow: FetchAllow): URL {
  // The length first: parsing a long host name in other scripts is slow.
  const url = text.length <= URL_MAX_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new FileError('bad-address', 'Only http:// and https:// addresses can be fetched.')
  }
  if (url.username || url.password) {
    throw new FileError('bad-address', 'The address must not contain a user name or password.')
  }
  requireOpenPort({ hostname: url.hostname, port: portOf(url) }, [80, 443], allow)
  return url
}

/**
 * @param standard the ports below 1024 that a protocol may use
 * @throws FileError `address-refused`
 */
export function requireOpenPort(
  { hostname, port }: { hostname: string; port: number },
  standard: readonly number[],
  allow: FetchAllow,
): void {
  const isOpenPort = standard.includes(port) || (port >= 1_024 && !BAD_PORTS.has(port))
  if (!isOpenPort && !allow.endpoints.has(endpointKey(hostname, port))) throw addressRefused()
}

/** A host as it is looked up and connected to: in a URL, IPv6 addresses have brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

/** Where the server of a web address is connected to. */
export const webEndpoint = (url: URL) => ({
  hostname: withoutBrackets(url.hostname),
  port: portOf(url),
  tls: url.protocol === 'https:' ? { protocols: ['http/1.1'] } : undefined,
})

/** The port of a URL, or the default one of its protocol. */
function portOf(url: { protocol: string; port: string }): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
