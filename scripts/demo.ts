import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readConfig } from '../src/server/config'
import { seedSupplier } from '../src/server/features/suppliers/seeding'
import { serve } from '../src/server/start/serve'
import { closeOnSignal } from '../src/server/start/shutdown'
import { runCommand } from './command-line'
import { DEMO_PASSWORD, demoPeople, demoSupplier } from './demo-data'
import { toDemoEnvironment } from './demo-environment'
import { startDemoIssuer } from './demo-issuer'

const HELP = `Starts a demo with sample data in a temporary data folder.

Usage: npm run demo

A sample catalogue is served on loopback. One supplier publishes it to three retailers, one of
which sees only some categories. Sign in with Google uses a demo identity provider.
HOST and PORT apply as for npm start. DEMO_CATALOGUE names another CSV file to publish; it is read anew
for each sync.`

// Relative to dist/current/server, where the build puts this program.
const CLIENT_DIR = fileURLToPath(new URL('../client', import.meta.url))
const CATALOGUE = fileURLToPath(
  new URL('../../../data/samples/outdoor-catalogue.csv', import.meta.url),
)

await runCommand(HELP, {}, async () => {
  const catalogue = await serveFile(process.env.DEMO_CATALOGUE || CATALOGUE)
  const { close: closeIssuer, ...oidc } = await startDemoIssuer(demoPeople)
  const dataDir = await mkdtemp(join(tmpdir(), 'stockbridge-demo-'))
  const config = readConfig({
    ...toDemoEnvironment(process.env),
    DATA_DIR: dataDir,
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    OIDC_ALLOW_LOOPBACK: 'true',
    FETCH_ALLOW: new URL(catalogue.url).host,
    // The sample files need almost no space.
    MIN_FREE_BYTES: '0',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: DEMO_PASSWORD,
    LOG_LEVEL: 'warn',
  })
  // No initial password to print: the administrator has the demo's password.
  const server = await serve(config, CLIENT_DIR, () => undefined)
  closeOnSignal(server.deps.logger, async () => {
    await server.close()
    catalogue.close()
    await closeIssuer()
    await rm(dataDir, { recursive: true, force: true })
  })
  const supplier = demoSupplier(catalogue.url)
  await seedSupplier(server.deps, supplier)
  console.log(`The demo is ready at ${server.url}

  password of all users    ${DEMO_PASSWORD}
  administrator            admin
  supplier                 ${supplier.username}
${supplier.retailers.map(({ username, categories }) => `  retailer                 ${username}${categories ? `  (sees ${categories.join(', ')} only)` : ''}`).join('\n')}

  Sign in with Google uses the demo identity provider at ${oidc.issuer}.
  The supplier's file is ${catalogue.url}. Press Ctrl-C to stop; all demo data is removed.`)
  return 0
})

/** Serves one file on a free loopback port. */
async function serveFile(path: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    readFile(path).then(
      (content) => response.setHeader('content-type', 'text/csv; charset=utf-8').end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/outdoor-catalogue.csv`, close: () => server.close() }
}
