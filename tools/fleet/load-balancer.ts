import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { until } from '../../src/e2e/support/rest-client'
import { findFreePort } from '../../src/server/testing/servers/free-port'
import type { Cleanups } from '../bench/cleanups'
import { runNginx } from '../bench/run-nginx'

const ANSWERED_WITHIN_MS = 30_000

/**
 * Starts nginx in front of web processes, with the configuration for several machines.
 * @param urls those of the web processes
 * @returns the address of the fleet
 */
export async function startLoadBalancer(
  folder: string,
  urls: readonly string[],
  cleanups: Cleanups,
): Promise<string> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const site = await readFile('deploy/nginx.fleet.conf', 'utf8')
  await runNginx(join(folder, 'nginx'), adaptSite(site, port, urls), url, cleanups)
  const isHealthy = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isHealthy, Boolean, ANSWERED_WITHIN_MS)
  return url
}

/** Puts addresses of this machine in the place of those that only containers have. */
export function adaptSite(site: string, port: number, urls: readonly string[]): string {
  const servers = urls.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=10s;`)
  return site
    .replace(/^resolver .*$/m, '')
    .replace('server web:3000 resolve max_fails=1 fail_timeout=10s;', servers.join('\n    '))
    .replace('keepalive 64;', 'keepalive 64; keepalive_requests 1000000000;')
    .replace('access_log /dev/stdout paths;', '')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
}
