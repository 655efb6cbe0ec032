import { text } from 'node:stream/consumers'

import { MINUTE_MS } from '../../../shared/durations'
import { saveMergedFileInput } from '../../../shared/schemas/merged-file'
import type { Config } from '../../config'
import { hashSecretToken } from '../../domain/secret-token'
import type { AskedForm } from '../../domain/variant-spec'
import {
  makeMergedFiles,
  queueDueMergedFiles,
} from '../../features/distribution/merged-files/make-merged-files'
import {
  createMergedAddress,
  saveMergedFile,
} from '../../features/distribution/merged-files/merged-file'
import { openMergedRead } from '../../features/distribution/merged-files/merged-reads'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import {
  createRetailerUser,
  createSupplierConnection,
  createSupplierUser,
  reloadUser,
  removeGuards,
} from '../fixtures/factories'
import { readTable } from '../fixtures/update-histories'
import { startSourceServer } from '../servers/source-server'
import { openTestDeps } from './test-deps'

export type MergedFileStage = Awaited<ReturnType<typeof openMergedFileStage>>

/** A retailer with relations to several suppliers, whose files are replaced at will. */
export async function openMergedFileStage(
  config: Partial<Config> = {},
  drivers: Parameters<typeof openTestDeps>[1] = {},
) {
  const source = await startSourceServer()
  const deps = await openTestDeps({ ...config, fetchAllow: [source.host] }, drivers)
  const retailer = await createRetailerUser(deps)
  const reader = { address: '127.0.0.1', authorization: undefined, userAgent: 'curl/8' }

  async function publish(supplier: UserRecord, body: string): Promise<void> {
    source.set(`/${supplier.id}.csv`, { body })
    await deps.db
      .updateTable('connections')
      .set({ nextSyncAt: deps.clock.now() })
      .where('supplierId', '=', supplier.id)
      .execute()
    await deps.work()
  }

  async function relate(supplier: UserRecord, visible: string[] | null = null): Promise<number> {
    const row = await deps.db
      .insertInto('retailers')
      .values({
        userId: retailer.id,
        supplierId: supplier.id,
        syncFrequencyMinutes: 1,
        isAllProducts: visible === null,
        categories: visible ?? [],
        createdAt: deps.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }

  return {
    deps,
    source,
    retailer,
    publish,
    relate,
    /** A supplier that has published a file, and the retailer's relation to it. */
    async addSupplier(body: string, visible: string[] | null = null) {
      const companyName = `Supplier ${source.requests.length}`
      const supplier = await createSupplierUser(deps, { maxRetailers: 50, companyName })
      source.set(`/${supplier.id}.csv`, { body })
      await createSupplierConnection(deps, supplier, source.url(`/${supplier.id}.csv`))
      await removeGuards(deps)
      const retailerId = await relate(supplier, visible)
      await publish(supplier, body)
      return { supplier, retailerId }
    },
    async save(settings: unknown) {
      const input = saveMergedFileInput.parse(settings)
      await saveMergedFile(deps, await reloadUser(deps, retailer), input)
      await deps.work()
    },
    /** Lets a minute pass, and has done what is due. */
    async settle(ms = 2 * MINUTE_MS) {
      deps.clock.advance(ms)
      await queueDueMergedFiles(deps)
      await deps.work()
      await makeMergedFiles(deps, new AbortController().signal)
    },
    async address(endsOthers = false): Promise<string> {
      const { path } = await createMergedAddress(deps, retailer, { endsOthers })
      return path.split('/')[2] ?? ''
    },
    /** Reads the merged file as a shop does. */
    async read(token: string, since: string | null = null, asked: AskedForm = 'own') {
      const request = { asked, since, reader }
      const { value } = await openMergedRead(deps, hashSecretToken(token), request)
      if ('refusal' in value) throw new Error('It was refused')
      const content = await text(await deps.files.read(value.sha256))
      const isCsv = value.form.extension === 'csv'
      return { ...value, content, rows: isCsv ? readTable(content) : [] }
    },
    async close() {
      await deps.close()
      await source.close()
    },
  }
}
