import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { until } from '../../src/e2e/rest-client'
import type { Cleanups } from './cleanups'
import { requirePrograms } from './peers'

/** nginx with one process, as the product has one; it sends files with sendfile and logs nothing. */
export type Nginx = {
  /** The files in this folder are served. */
  root: string
  url(path: string): string
  /** Of the same file, compressed for each request. */
  compressedUrl(path: string): string
}

/** @throws Skipped when nginx is not installed */
export async function startNginx(folder: string, cleanups: Cleanups): Promise<Nginx> {
  requirePrograms('nginx')
  const home = join(folder, 'nginx')
  const root = join(home, 'root')
  await mkdir(root, { recursive: true })
  const port = await findFreePort()
  const file = join(home, 'nginx.conf')
  await writeFile(file, configure(home, root, port))
  const args = ['-p', home, '-c', file, '-e', join(home, 'error.log')]
  const child = spawn('nginx', args, { stdio: 'inherit' })
  const exited = once(child, 'exit')
  cleanups.add(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const origin = `http://127.0.0.1:${port}`
  const ask = () => fetch(origin).then(Boolean, () => false)
  await until(ask, (answered) => answered, 10_000)
  return {
    root,
    url: (path) => `${origin}/${path}`,
    compressedUrl: (path) => `${origin}/compressed/${path}`,
  }
}

function configure(home: string, root: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${home}/pid;
events { worker_connections 1024; }
http {
  types { text/csv csv; }
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  ${temporary.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${root};
    location /compressed/ {
      alias ${root}/;
      gzip on;
      gzip_types text/csv;
      gzip_comp_level 6;
    }
  }
}
`
}

/** Another process may take it before it is used; then nginx ends and says so. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
