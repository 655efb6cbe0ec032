import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { HOUR_MS } from '../../shared/durations'
import type { Deps } from '../domain/deps'
import { compareVersions } from '../features/catalogue/comparisons/compare-versions'
import { createFeedAddress } from '../features/distribution/feed-addresses/feed-addresses'
import { updateRetailer } from '../features/distribution/retailers/retailers'
import { makeTarget, restore } from '../testing/fixtures/backups'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../testing/fixtures/factories'
import { runBackup } from '../testing/fixtures/stock'
import { startSourceServer, type SourceServer } from '../testing/servers/source-server'
import { openTestApp, type TestApp } from '../testing/stages/test-app'

const FIRST = 'sku,name,quantity\r\n1,Boot,5\r\n2,Cap,7\r\n3,Scarf,2\r\n'
const SECOND = 'sku,name,quantity\r\n1,Boot,4\r\n2,Cap,7\r\n4,Glove,1\r\n'

let sourceServer: SourceServer
let source: Awaited<ReturnType<typeof makeTarget>>
let target: Awaited<ReturnType<typeof makeTarget>>
let testApp: TestApp | undefined

beforeEach(async () => {
  sourceServer = await startSourceServer()
  source = await makeTarget()
  target = await makeTarget()
})
afterEach(async () => {
  await close()
  await Promise.all([source.remove(), target.remove(), sourceServer.close()])
})

/** Opens the product on the data of a folder. */
async function open({ config }: typeof source): Promise<TestApp> {
  await close()
  testApp = await openTestApp({ ...config, fetchAllow: [sourceServer.host] })
  return testApp
}

async function close() {
  await testApp?.close()
  testApp = undefined
}

/** Publishes two files, of which a shop has read the first. */
async function publishTwice() {
  await mkdir(source.config.dataDir, { recursive: true })
  const { deps } = await open(source)
  const supplier = await createSupplierUser(deps)
  sourceServer.set('/feed.csv', { body: FIRST })
  const { id } = await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
  await deps.work()
  const retailer = await createLinkedRetailer(deps, supplier)
  await updateRetailer(deps, supplier, { id: retailer.id, syncFrequency: 0 })
  const { path } = await createFeedAddress(deps, retailer.user, retailer.id)
  const version = (await read(path)).headers['x-feed-version']
  sourceServer.set('/feed.csv', { body: SECOND })
  deps.clock.advance(HOUR_MS)
  await deps.work()
  const versions = await listVersions(deps)
  return { supplier, id, since: `${path}?since=${String(version)}`, versions }
}

const listVersions = (deps: Deps) =>
  deps.db.selectFrom('versions').select(['id', 'keysSha256']).orderBy('id').execute()

/** Reads a feed address until its file is ready. */
async function read(path: string) {
  const { client, deps } = testApp!
  let answer = await client().request('GET', path)
  while (answer.status === 503) {
    await deps.work()
    answer = await client().request('GET', path)
  }
  return answer
}

async function backUp({ deps }: TestApp) {
  await deps.pulls.flush()
  await runBackup(deps)
  const [backup] = await deps.backups.list()
  return join(deps.config.backupsDir, backup!.name)
}

it('a restored backup compares versions and serves deltas with the key files that it has', async () => {
  const { supplier, id, since, versions } = await publishTwice()
  expect(versions.map(({ keysSha256 }) => keysSha256)).not.toContain(null)
  const [olderId, newerId] = versions.map((version) => version.id)
  const folder = await backUp(testApp!)
  await restore(target.config, folder)
  const { deps } = await open(target)
  const compared = await compareVersions(
    deps,
    { ...supplier },
    {
      id,
      olderId: olderId!,
      newerId: newerId!,
    },
  )
  expect(compared.found).toMatchObject({
    difference: { keyColumn: 'sku', added: 1, removed: 1, changed: 1, unchanged: 1 },
  })
  expect((await read(since)).text).toBe(
    'sku,name,quantity,_change\r\n1,Boot,4,changed\r\n4,Glove,1,added\r\n3,Scarf,2,removed\r\n',
  )
})

it.each([
  ['damaged', async (path: string) => writeFile(path, Buffer.alloc((await readFile(path)).length))],
  ['missing', (path: string) => rm(path)],
])('a backup with a %s key file is not restored', async (_what, harm) => {
  const { versions } = await publishTwice()
  const folder = await backUp(testApp!)
  const sha256 = versions[0]?.keysSha256
  await harm(join(folder, 'files', `${sha256}.csv`))
  await expect(restore(target.config, folder)).rejects.toThrow(String(sha256))
})

it('a backup is not listed when one of its key files was copied wrongly', async () => {
  const { versions } = await publishTwice()
  const { deps } = testApp!
  const damaged = versions[1]?.keysSha256
  const copyTo: Deps['files']['copyTo'] = async (sha256, path, ...rest) => {
    await deps.files.copyTo(sha256, path, ...rest)
    if (sha256 === damaged) await writeFile(path, 'other keys')
  }
  const files = { ...deps.files, copyTo }
  await expect(runBackup({ ...deps, files })).rejects.toThrow(
    `The backup is damaged: the inventory file ${damaged} was changed`,
  )
  expect(await deps.backups.list()).toEqual([])
})
