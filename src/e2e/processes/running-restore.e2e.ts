import { readdir } from 'node:fs/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  type Product,
} from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'
import { beginRestore, listSuppliers, makeBackup } from '../support/restores'

const QUIET = { LOG_LEVEL: 'error', CALL_LIMITS: 'off' }

let dataDir: string
let product: Product
let admin: RestClient

beforeEach(async () => {
  dataDir = await makeDataDir()
})
afterEach(async () => {
  await product.stop()
  await removeDataDir(dataDir)
})

async function start(environment: Record<string, string> = {}): Promise<void> {
  product = await startProduct(dataDir, { ...QUIET, ...environment })
  admin = createRestClient(product.url)
  await admin.signIn('admin', ADMIN_PASSWORD)
}

describe.skipIf(process.platform !== 'linux')('a restore into the running installation', () => {
  it('ends a worker, which begins anew, and goes on at the same address with several web processes', async () => {
    await start({ WEB_PROCESSES: '2', WORKER: 'off' })
    const worker = await startWorker(dataDir, QUIET)
    const backup = await makeBackup(admin)
    const added = await admin.send('POST', '/api/suppliers', {
      username: 'made-since',
      password: 'correct-horse',
      companyName: 'Made since',
      contactEmail: 'since@example.com',
    })
    expect(added.status, added.text).toBe(201)
    expect(await listSuppliers(admin)).toEqual(['made-since'])
    await beginRestore(admin, backup)
    // What supervises it starts it again.
    expect(await worker.exited).toBe(75)
    const again = await startWorker(dataDir, QUIET)
    const getUser = () => admin.send('GET', '/api/user').catch(() => ({ status: 0 }))
    await until(getUser, ({ status }) => status === 401)
    await expect.poll(() => product.output()).toMatch(/is ready at[^]*is ready at/)
    await admin.signIn('admin', ADMIN_PASSWORD)
    expect(await listSuppliers(admin)).toEqual([])
    // The worker works on the restored data.
    await makeBackup(admin, backup)
    await again.stop()
    expect((await readdir(dataDir)).filter((name) => name.startsWith('replaced-'))).toHaveLength(1)
  })
})
