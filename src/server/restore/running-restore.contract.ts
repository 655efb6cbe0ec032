import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createRestClient, until, type RestClient } from '../../e2e/support/rest-client'
import type { RestoreState } from '../../shared/schemas/restore'
import type { Config } from '../config'
import { migrateToLatest } from '../db/migrate'
import { openDeps, type OpenDeps } from '../deps'
import { createLogger } from '../observability/logger'
import { watchRestores } from '../start/restore-watch'
import { runProduct, type Product } from '../start/run-product'
import { makeTarget } from '../testing/fixtures/backups'
import { writeClientFiles } from '../testing/fixtures/client-files'
import { createAdmin, createSupplierUser, PASSWORD } from '../testing/fixtures/factories'
import { runBackup } from '../testing/fixtures/stock'
import { isRestoring } from './restore-elsewhere'

/** Tests that an administrator restores a backup into the running product. */
export function describeRunningRestore(name: string, prepare: (config: Config) => Promise<void>) {
  describe(name, () => {
    let target: Awaited<ReturnType<typeof makeTarget>>
    let config: Config
    let product: Product
    let printed: string[]
    let failures: unknown[]
    let gaveWay: number
    let admin: RestClient
    let backup: string

    beforeEach(async () => {
      target = await makeTarget()
      // Its worker would remove the draft of a backup that is made besides.
      const own = { port: 0, hasInlineWorker: false, adminPassword: PASSWORD }
      config = { ...target.config, ...own, logLevel: 'silent' }
      await prepare(config)
      printed = []
      failures = []
      gaveWay = 0
      await writeClientFiles(join(config.dataDir, 'client'))
      product = await start()
      const { deps } = product.server()
      await createSupplierUser(deps, { username: 'of-backup' })
      await runBackup(deps)
      backup = (await deps.backups.list())[0]!.name
      await createSupplierUser(deps, { username: 'made-since' })
      admin = createRestClient(product.server().url)
      await admin.signIn('admin', PASSWORD)
    })
    afterEach(async () => {
      await product.close()
      await target.remove()
      expect(failures).toEqual([])
    })

    const start = (patienceMs?: number) =>
      runProduct(config, {
        clientDir: join(config.dataDir, 'client'),
        showPassword: () => undefined,
        print: (line) => void printed.push(line),
        onReady: () => undefined,
        onGivesWay: () => (gaveWay += 1),
        onFailure: (error) => void failures.push(error),
        ...(patienceMs !== undefined && { patienceMs }),
      })

    const begin = () =>
      admin.send('POST', '/trpc/restores.begin', { fileName: `${backup}.tar`, typedName: backup })

    async function readState(): Promise<RestoreState | null> {
      const { body } = await admin.send('GET', '/trpc/restores.state')
      return (body as { result: { data: RestoreState | null } }).result.data
    }

    const listNames = async () => {
      const users = await product.server().deps.db.selectFrom('users').select('username').execute()
      return users.map(({ username }) => username).toSorted()
    }

    const openOther = (): Promise<OpenDeps> => openDeps(config, createLogger(config))

    it('replaces all data by it, in the same process and at the same address', async () => {
      const before = product.server()
      expect((await begin()).status).toBe(200)
      await until(
        async () => product.server(),
        (server) => server !== before,
        60_000,
      )
      expect(product.server().url).toBe(before.url)
      expect(await listNames()).toEqual(['admin', 'of-backup'])
      expect((await admin.send('GET', '/api/user')).status).toBe(401)
      await admin.signIn('admin', PASSWORD)
      expect(await readState()).toMatchObject({ backup, step: 'restored', reason: null })
      const { db } = product.server().deps
      const entries = await db
        .selectFrom('auditEntries')
        .selectAll()
        .where('action', '=', 'backup.restore')
        .execute()
      expect(entries).toMatchObject([{ actorName: 'admin', subjectName: backup, origin: 'web' }])
      const events = await db
        .selectFrom('events')
        .select(['kind', 'details'])
        .where('kind', '=', 'backup.restored')
        .execute()
      expect(events).toMatchObject([{ details: { backupName: backup } }])
      expect(await readdir(config.dataDir)).toContainEqual(expect.stringMatching(/^replaced-/))
      expect(await isRestoring(config)).toBe(false)
    })

    it('stops the other processes first, which find the restored data when they begin again', async () => {
      const worker = await openOther()
      let hasStopped = false
      const stopWatching = watchRestores(worker.deps, {
        onStop: () => {
          hasStopped = true
          void stopWatching().then(() => worker.close())
        },
      })
      const before = product.server()
      await begin()
      await until(
        async () => product.server(),
        (server) => server !== before,
        60_000,
      )
      expect(hasStopped).toBe(true)
      const again = await openOther()
      const users = await again.deps.db.selectFrom('users').select('username').execute()
      await again.close()
      expect(users).toHaveLength(2)
    })

    it('replaces nothing while a process does not stop, says so, and goes on', async () => {
      await product.close()
      config.port = 0
      product = await start(0)
      admin = createRestClient(product.server().url)
      await admin.signIn('admin', PASSWORD)
      const other = await openOther()
      const before = product.server()
      await begin()
      await until(
        async () => product.server(),
        (server) => server !== before,
        60_000,
      )
      await other.close()
      expect(await readState()).toMatchObject({
        step: 'failed',
        reason: expect.stringContaining('Other processes of the product'),
      })
      expect(await listNames()).toEqual(['admin', 'made-since', 'of-backup'])
      const left = (await readdir(config.dataDir)).filter((file) => file.startsWith('restore'))
      expect(left).toEqual([])
      expect(await isRestoring(config)).toBe(false)
    })

    it('stops nothing for a backup that cannot be restored', async () => {
      const before = product.server()
      const { db, backups } = before.deps
      const found = (await backups.find(backup))!
      expect(found.manifest.signature).toBeDefined()
      config.encryptionKey = Buffer.alloc(32, 9)
      before.deps.config.encryptionKey = Buffer.alloc(32, 9)
      await begin()
      await expect.poll(readState, { timeout: 20_000 }).toMatchObject({
        step: 'failed',
        reason: expect.stringMatching(/^This backup cannot be used/),
      })
      expect(product.server()).toBe(before)
      expect(await db.selectFrom('users').select('id').execute()).toHaveLength(3)
    })

    it('ends in a process that another one has replaced the data beneath', async () => {
      const { db } = product.server().deps
      await migrateToLatest(db)
      await createAdmin(product.server().deps)
      await db
        .insertInto('restores')
        .values({ id: 1, token: 'x', backup, requestedAt: 1, step: 'restored', endedAt: 1 })
        .execute()
      await expect.poll(() => gaveWay, { timeout: 10_000 }).toBe(1)
    })
  })
}
