import ipaddr from 'ipaddr.js'

import { DomainError } from './errors'

/** Returns a network in its one spelling: `10.0.0.0/8`, `2001:db8::/32`; a single address as a network of one. */
export function toNetwork(text: string): string | undefined {
  const [address = '', length, ...more] = text.split('/')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  // The zone of an address is of one machine only.
  if (!isAddress || address.includes('%') || more.length > 0) return undefined
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? 32 : 128
  const wanted = length ?? String(bits)
  if (!/^\d{1,3}$/.test(wanted) || Number(wanted) > bits) return undefined
  const cidr = `${parsed.toString()}/${Number(wanted)}`
  const network =
    parsed.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${Number(wanted)}`
}

/** An address in its one spelling, an IPv4 address in IPv6 as itself; null for what is none. */
export const toPlainAddress = (text: string): string | null =>
  ipaddr.isValid(text) ? ipaddr.process(text).toString() : null

/** An address as rate limits count it: of IPv6 the network that one subscriber has. Undefined for what is none. */
export function toCountedAddress(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const network = address.parts.map((part, index) => (index < 4 ? part : 0))
  return `${new ipaddr.IPv6(network).toString()}/64`
}

/** @throws DomainError INVALID, at the field `networks` */
export function readNetwork(text: string): string {
  const network = toNetwork(text)
  if (network !== undefined) return network
  const message = `“${text}” is not a network. Enter an address such as 203.0.113.7, or a range such as 203.0.113.0/24.`
  throw new DomainError('INVALID', message, { field: 'networks' })
}

/** Whether an address is in one of the networks, as `toNetwork` returns them. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some((network) => {
    const [range, length] = ipaddr.parseCIDR(network)
    return range.kind() === parsed.kind() && parsed.match([range, length] as never)
  })
}
