import { isIPv6 } from 'node:net'

import type { Config } from '../config'

/** On all networks is also on this machine. */
const ON_THIS_MACHINE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Where a process says how it is, to programs of its machine: the web process whether it runs, a worker
 * and an inbox whether they can work.
 */
export function toHealthUrl(
  { host, port, metricsHost, workerPort, inboxPort }: Config,
  program: 'main' | 'worker' | 'inbox',
): string {
  if (program === 'main') return toUrl(host, port, '/healthz')
  return toUrl(metricsHost, program === 'worker' ? workerPort : inboxPort, '/readyz')
}

function toUrl(host: string, port: number, path: string): string {
  const name = ON_THIS_MACHINE[host] ?? host
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}${path}`
}
