import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { until } from '../../src/e2e/rest-client'
import { findFreePort } from '../../src/server/testing/free-port'
import type { Cleanups } from '../bench/cleanups'

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
  const home = join(folder, 'nginx')
  await mkdir(home, { recursive: true })
  const port = await findFreePort()
  const file = join(home, 'nginx.conf')
  const site = await readFile('scripts/deploy/nginx.fleet.conf', 'utf8')
  await writeFile(file, configure(home, adapt(site, port, urls)))
  const child = spawn('nginx', ['-p', home, '-c', file, '-e', join(home, 'error.log')], {
    stdio: 'inherit',
  })
  const exited = once(child, 'exit')
  cleanups.add(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    Boolean,
    30_000,
  )
  return url
}

const FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** The whole configuration of an nginx whose files are in `home`, around the one for deployment. */
const configure = (home: string, site: string) => `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${home}/pid;
events { worker_connections 4096; }
http {
  access_log off;
  ${FOLDERS.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  # Connections stay open, however many requests a measurement sends.
  keepalive_requests 1000000;
${site}
}
`

/** Puts addresses of this machine in the place of those that only containers have. */
function adapt(site: string, port: number, urls: readonly string[]): string {
  const servers = urls.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=10s;`)
  return site
    .replace(/^resolver .*$/m, '')
    .replace('server web:3000 resolve max_fails=1 fail_timeout=10s;', servers.join('\n    '))
    .replace('keepalive 64;', 'keepalive 64; keepalive_requests 1000000;')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
}
