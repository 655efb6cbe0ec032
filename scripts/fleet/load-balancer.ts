import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { until } from '../../src/e2e/rest-client'
import { findFreePort } from '../../src/server/testing/free-port'
import type { Cleanups } from '../bench/cleanups'

/**
 * Starts nginx in front of web processes, as docs/deployment.md describes it.
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
  await writeFile(file, configure(home, port, urls))
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

/**
 * A web process that fails is left out for ten seconds; only reads are sent to another one. Connections
 * stay open, however many requests a measurement sends.
 */
function configure(home: string, port: number, urls: readonly string[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const servers = urls.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=10s;`)
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${home}/pid;
events { worker_connections 4096; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  upstream web {
    ${servers.join('\n    ')}
    keepalive 64;
    keepalive_requests 1000000;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 2m;
    keepalive_requests 1000000;
    location / {
      proxy_pass http://web;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_buffering off;
      proxy_connect_timeout 2s;
      proxy_read_timeout 10s;
      proxy_next_upstream error timeout;
    }
  }
}
`
}
