import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readConfig } from '../src/server/config'
import { seedSupplier } from '../src/server/features/operations/suppliers/seeding'
import { runProduct } from '../src/server/start/run-product'
import { closeOnSignal } from '../src/server/start/shutdown'
import { reportStartFailure } from '../src/server/start/start-failure'
import { fromCaller, runCommand } from './command-line'
import { DEMO_PASSWORD, demoPeople, demoSupplier } from './demo-data'
import { toDemoEnvironment } from './demo-environment'
import { startDemoIssuer } from './demo-issuer'

const HELP = `Starts a demo with sample data in a temporary data folder.

Usage: npm run demo [-- --data FOLDER] [--url URL] [--smtp URL]

A sample catalogue is served on loopback. One supplier publishes it to three retailers, one of
which sees only some categories. Sign in with Google uses a demo identity provider.
HOST and PORT apply as for npm start. DEMO_CATALOGUE names another CSV file to publish; it is read anew
for each sync.

  --data FOLDER  keeps the data there, an empty folder at first. The catalogue and the identity
                 provider then have the two ports after PORT. npm run dev -- --demo uses it.
  --url URL      the address at which people open the demo, when it is another one
  --smtp URL     a mail server for what the demo sends; without one it sends nothing`

const CLIENT_DIR = fileURLToPath(new URL('../client', import.meta.url))
const IS_BUILT = import.meta.url.endsWith('.js')
// The build puts this program into the folder `server` of its own folder in dist.
const ROOT = new URL(IS_BUILT ? '../../../' : '../', import.meta.url)
const CATALOGUE = fileURLToPath(new URL('data/samples/outdoor-catalogue.csv', ROOT))

const OPTIONS = {
  data: { type: 'string' },
  url: { type: 'string' },
  smtp: { type: 'string' },
} as const

await runCommand(HELP, OPTIONS, async ({ values: { data, url, smtp } }) => {
  const keptDir = typeof data === 'string' ? fromCaller(data) : undefined
  const environment = toDemoEnvironment(process.env)
  const { port } = readConfig(environment)
  // What is kept has the addresses of both.
  const portAfter = (count: number) => (keptDir === undefined || port === 0 ? 0 : port + count)
  const catalogue = await serveFile(process.env.DEMO_CATALOGUE || CATALOGUE, portAfter(1))
  const { close: closeIssuer, ...oidc } = await startDemoIssuer(demoPeople, portAfter(2))
  const dataDir = keptDir ?? (await mkdtemp(join(tmpdir(), 'stockbridge-demo-')))
  const isNew = (await readdir(dataDir)).length === 0
  const config = readConfig({
    ...environment,
    // From source, Vite serves the client.
    NODE_ENV: IS_BUILT ? undefined : 'development',
    DATA_DIR: dataDir,
    ...(typeof url === 'string' && { PUBLIC_URL: url }),
    ...(typeof smtp === 'string' && { SMTP_URL: smtp, MAIL_FROM: 'Stockbridge <demo@localhost>' }),
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    OIDC_ALLOW_LOOPBACK: 'true',
    FETCH_ALLOW: new URL(catalogue.url).host,
    MAIL_INBOX_DOMAIN: 'in.example.com',
    // Only programs of this machine reach the demo.
    MAIL_INBOX_SECRET: `mails-of-the-demo-${DEMO_PASSWORD}`,
    // The sample files need almost no space.
    MIN_FREE_BYTES: '0',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: DEMO_PASSWORD,
    LOG_LEVEL: 'warn',
  })
  const product = await runProduct(config, {
    clientDir: CLIENT_DIR,
    // The administrator has the demo's password.
    showPassword: () => undefined,
    print: (line) => console.log(line),
    onReady: () => undefined,
    onGivesWay: () => process.exit(1),
    onFailure: reportStartFailure,
  })
  const server = product.server()
  closeOnSignal(server.deps.logger, async () => {
    await product.close()
    catalogue.close()
    await closeIssuer()
    if (keptDir === undefined) await rm(dataDir, { recursive: true, force: true })
  })
  const supplier = demoSupplier(catalogue.url)
  if (isNew) await seedSupplier(server.deps, supplier)
  console.log(`The demo is ready at ${server.url}

  password of all users    ${DEMO_PASSWORD}
  administrator            admin
  supplier                 ${supplier.username}
${supplier.retailers.map(({ username, categories }) => `  retailer                 ${username}${categories ? `  (sees ${categories.join(', ')} only)` : ''}`).join('\n')}

  Sign in with Google uses the demo identity provider at ${oidc.issuer}.
  The supplier's file is ${catalogue.url}. Press Ctrl-C to stop${keptDir === undefined ? '; all demo data is removed' : ''}.`)
  return 0
})

/** Serves one file on a loopback port; 0 is any that is free. */
async function serveFile(
  path: string,
  wantedPort: number,
): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    readFile(path).then(
      (content) => response.setHeader('content-type', 'text/csv; charset=utf-8').end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/outdoor-catalogue.csv`, close: () => server.close() }
}
