import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { overlayInput } from '../../../../shared/schemas/overlay'
import type { SourceAuthInput } from '../../../../shared/schemas/source-auth'
import { prepareDatabase } from '../../../start/prepare-database'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openFileDeps, runBackup } from '../../../testing/fixtures/stock'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { createWebhook } from '../../alerting/webhooks/webhooks'
import { updateConnection } from '../../catalogue/connections/connections'
import { createFeedAddress } from '../../distribution/feed-addresses/feed-addresses'
import type { UserRecord } from '../../people/accounts/users.queries'

/** In a query, a path, a fragment, a webhook, each kind of credentials, and those of overlays. */
const URLS = [
  'https://a.example/feed.csv?key=s3cr3t-1',
  'https://a.example/feeds/s3cr3t-2-with-a-length/inventory.csv',
  'https://a.example/feed.csv#s3cr3t-3',
  's3://a-bucket/feeds/s3cr3t-9-with-a-length/inventory.csv',
]
const AUTHS: SourceAuthInput[] = [
  { type: 'basic', username: 'acme', password: 's3cr3t-4' },
  { type: 'bearer', token: 's3cr3t-5' },
  { type: 'header', name: 'X-Api-Key', value: 's3cr3t-6' },
  { type: 's3', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's3cr3t-8', region: 'eu-west-1' },
]
const HOOK = 'https://a.example/s3cr3t-7'

let deps: TestDeps
let supplier: UserRecord
let feedToken: string

beforeEach(async () => {
  deps = await openFileDeps()
  supplier = await createSupplierUser(deps)
  for (const [index, url] of URLS.entries()) await connect(url, AUTHS[index]!)
  await createWebhook(deps, supplier, { url: HOOK, kinds: ['feed.failed'], isActive: true })
  const retailer = await createLinkedRetailer(deps, supplier)
  feedToken = (await createFeedAddress(deps, supplier, retailer.id)).path.split('/')[2] ?? ''
})
afterEach(() => deps.close())

async function connect(url: string, auth: SourceAuthInput) {
  const owner = await createSupplierUser(deps)
  const { id } = await createSupplierConnection(deps, owner, 'https://before.example/')
  const overlay = overlayInput.parse({ url, auth })
  await updateConnection(deps, owner, { id, config: { url, auth }, overlay })
}

/** Every byte of a new backup, as it is downloaded. */
async function backUp(): Promise<Buffer> {
  await runBackup(deps)
  const [backup] = await deps.backups.list()
  return buffer((await backup!.openArchive())!)
}

/** The secrets that are in an archive in plain text. */
function findSecrets(archive: Buffer): string[] {
  const secrets = ['s3cr3t', feedToken, PASSWORD, Buffer.from('acme:s3cr3t-4').toString('base64')]
  return secrets.filter((secret) => archive.includes(secret))
}

it('has no address, credentials, token or password in plain text', async () => {
  const archive = await backUp()
  // What is searched through is not compressed.
  expect(archive.includes('https://a.example')).toBe(true)
  expect(findSecrets(archive)).toEqual([])
})

it('has none of an older version either, once the product has started', async () => {
  const rows = await deps.db
    .selectFrom('connections')
    .select(['id', 'config', 'overlay'])
    .orderBy('id')
    .execute()
  for (const [index, { id, config, overlay }] of rows.entries()) {
    const { sealedUrl: _, ...rest } = config
    const { sealedUrl: __, ...others } = overlay!
    const url = URLS[index]!
    const plain = { config: { ...rest, url }, overlay: { ...others, url } }
    await deps.db.updateTable('connections').set(plain).where('id', '=', id).execute()
  }
  await deps.db.updateTable('webhooks').set({ url: HOOK, sealedUrl: null }).execute()
  expect(findSecrets(await backUp())).toEqual(['s3cr3t'])
  await prepareDatabase(deps, { report: () => undefined })
  deps.clock.advance(60_000)
  expect(findSecrets(await backUp())).toEqual([])
})
