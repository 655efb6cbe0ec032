import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { until } from '../../src/e2e/support/rest-client'
import type { Cleanups } from './cleanups'

const FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
const STARTED_WITHIN_MS = 30_000

/**
 * Starts nginx with one process, which logs no requests, and waits until it answers.
 * @param home for its files
 * @param http what its `http` block has
 * @param url asked until it answers; an error of the server is an answer
 */
export async function runNginx(
  home: string,
  http: string,
  url: string,
  cleanups: Cleanups,
): Promise<void> {
  await mkdir(home, { recursive: true })
  const file = join(home, 'nginx.conf')
  await writeFile(file, configure(home, http))
  const args = ['-p', home, '-c', file, '-e', join(home, 'error.log')]
  const child = spawn('nginx', args, { stdio: 'inherit' })
  const exited = once(child, 'exit')
  cleanups.add(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const ask = () => fetch(url).then(Boolean, () => false)
  await until(ask, Boolean, STARTED_WITHIN_MS)
}

/** Connections stay open, however many requests a measurement sends. */
const configure = (home: string, http: string) => `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${home}/pid;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  ${FOLDERS.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  ${http}
}
`
