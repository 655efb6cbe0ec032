import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { startProduct } from '../../src/e2e/support/product'
import { createRestClient } from '../../src/e2e/support/rest-client'
import { startSourceServer } from '../../src/server/testing/servers/source-server'
import type { Cleanups } from '../bench/cleanups'
import { openPeople, PASSWORD } from '../bench/people'
import type { Servers } from './start-fleet'

const CATALOGUE = 'data/samples/outdoor-catalogue.csv'
const SHOP = 'ridge'
/** What one machine has in common with the fleet: the key that signs backups, and the buckets. */
const SHARED = ['ENCRYPTION_KEY', 'ADMIN_PASSWORD', 'FETCH_ALLOW', 'LOG_LEVEL'] as const
const BUCKET = [
  'BACKUP_URL',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const

/**
 * Makes an installation of one machine with sample data, on SQLite and its disk, and restores its backup onto
 * the fleet's servers.
 * @param folder for its data
 */
export async function moveIn(folder: string, { env }: Servers, cleanups: Cleanups): Promise<void> {
  const source = await startSourceServer()
  cleanups.add(() => source.close())
  source.set('/outdoor.csv', { body: await readFile(CATALOGUE) })
  const own = { ...pick(env, SHARED), DATA_DIR: await makeFolder(folder, 'one-machine') }
  const product = await startProduct(own.DATA_DIR, own)
  const people = await openPeople(product.url)
  const supplier = await people.addSupplier('westbeck', source.url('/outdoor.csv'))
  await people.addRetailer(supplier, SHOP)
  await product.stop()
  const made = readName(await run('backup', [], own))
  const target = { ...env, DATA_DIR: await makeFolder(folder, 'restoring') }
  await run('restore', [made], target)
}

/**
 * Backs the fleet up and restores that on one machine, on SQLite and its disk.
 * @throws Error unless a shop signs in there and downloads the sample file
 */
export async function moveOut(folder: string, { env }: Servers): Promise<void> {
  const making = { ...env, DATA_DIR: await makeFolder(folder, 'backing-up') }
  const name = readName(await run('backup', [], making))
  const own = {
    ...pick(env, [...SHARED, ...BUCKET]),
    DATA_DIR: await makeFolder(folder, 'back'),
  }
  await run('restore', [name], own)
  const product = await startProduct(own.DATA_DIR, own)
  try {
    if ((await downloadAs(SHOP, product.url)) !== (await readFile(CATALOGUE, 'utf8'))) {
      throw new Error('The shop received another file than before')
    }
  } finally {
    await product.stop()
  }
}

async function downloadAs(username: string, url: string): Promise<string> {
  const client = createRestClient(url)
  await client.signIn(username, PASSWORD)
  const [{ id }] = (await client.send('GET', '/api/retailers')).body as [{ id: number }]
  const latest = await client.send('GET', `/api/retailers/${id}/latest-file`)
  const { downloadUrl } = latest.body as { downloadUrl: string }
  return (await client.send('GET', downloadUrl)).text
}

/** Runs a command of the product. @returns what it printed. @throws Error when it fails */
async function run(command: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['scripts/run.mjs', command, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const printed = await text(child.stdout)
  const [code] = (await exited) as [number | null]
  if (code === 0) return printed
  throw new Error(`npm run ${command} ended with ${code}: ${printed}`)
}

/** The backup that `npm run backup` says it has made: the first word of its last line. */
const readName = (printed: string) => printed.trim().split('\n').at(-1)?.split(' ')[0] ?? ''

async function makeFolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  return path
}

const pick = (env: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in env ? [[name, env[name] ?? '']] : [])))
