import { networkInterfaces } from 'node:os'

import ipaddr from 'ipaddr.js'

import type { Deps } from '../domain/deps'
import { classifyAddress } from '../files/fetch/address-rules'
import { isLoopback } from '../web-address'
import type { Finding } from './finding'

const PART = 'metrics'

/**
 * Whether more machines can ask for metrics than need to.
 * @param addresses those of this machine
 */
export async function checkMetrics(
  { config: { host, metricsHost, metricsPort, hasInlineWorker } }: Deps,
  addresses = listAddresses(),
): Promise<Finding[]> {
  // Separate workers have a port of their own.
  if (metricsPort === undefined && hasInlineWorker) {
    return [{ part: PART, state: 'ok', text: 'metrics are not served (METRICS_PORT)' }]
  }
  const isOnAll = rangeOf(metricsHost) === 'unspecified'
  const place = isOnAll ? 'all addresses' : metricsHost
  const text = `health and metrics are on ${place}`
  const open = isOnAll ? addresses : [metricsHost]
  const exposed = open.find(
    (address) => ipaddr.isValid(address) && classifyAddress(address) === 'public',
  )
  const isAlone = isOnAll && isLoopback(host)
  if (exposed === undefined && !isAlone) return [{ part: PART, state: 'ok', text }]
  const reason =
    exposed === undefined
      ? `, while the product itself is on ${host}`
      : `${isOnAll ? ', of which' : ':'} ${exposed} is public`
  const advice =
    'Set METRICS_HOST to the address at which Prometheus asks, and let a firewall admit nobody else.'
  return [{ part: PART, state: 'warning', text: text + reason, advice }]
}

const rangeOf = (host: string) => ipaddr.isValid(host) && ipaddr.process(host).range()

function listAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map(({ address }) => address),
  )
}
