import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { findFreePort } from '../../src/server/testing/servers/free-port'
import type { Cleanups } from './cleanups'
import { requirePrograms } from './peers'
import { runNginx } from './run-nginx'

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
  const origin = `http://127.0.0.1:${port}`
  await runNginx(home, configure(root, port), origin, cleanups)
  return {
    root,
    url: (path) => `${origin}/${path}`,
    compressedUrl: (path) => `${origin}/compressed/${path}`,
  }
}

const configure = (root: string, port: number) => `types { text/csv csv; }
  sendfile on;
  tcp_nopush on;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    location /compressed/ {
      alias ${root}/;
      gzip on;
      gzip_types text/csv;
      gzip_comp_level 6;
    }
  }`
