import { DAY_MS, HOUR_MS } from '../../../shared/durations'
import type { DigestChoice, DigestContent } from '../../../shared/schemas/digest'
import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { saveDigestChoice } from '../../features/alerting/digests/digest-choice'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../fixtures/factories'
import { startMailServer } from '../servers/mail-server'
import { startSourceServer } from '../servers/source-server'
import { openTestDeps } from './test-deps'

const DAILY: DigestChoice = {
  period: 'daily',
  weekday: 1,
  timeZone: 'UTC',
  pricePercent: 10,
  categories: [],
}

export type DigestStage = Awaited<ReturnType<typeof openDigestStage>>

/** A supplier whose file is replaced each morning at six, an hour before digests are made. */
export async function openDigestStage() {
  const source = await startSourceServer()
  const mails = await startMailServer()
  const deps = await openTestDeps({
    fetchAllow: [source.host],
    smtp: { url: mails.url, from: 'Stock <stock@example.com>' },
    publicUrl: 'https://stock.example.com',
  })
  const now = deps.clock.now()
  deps.clock.advance(DAY_MS - (now % DAY_MS) + 6 * HOUR_MS)

  const put = async (supplier: UserRecord, body: string) => {
    source.set(`/${supplier.id}.csv`, { body })
    await deps.db
      .updateTable('connections')
      .set({ nextSyncAt: deps.clock.now() })
      .where('supplierId', '=', supplier.id)
      .execute()
    await deps.work()
  }
  const confirm = async ({ id: userId }: UserRecord) => {
    const address = `person${userId}@example.com`
    await deps.db.insertInto('mailAddresses').values({ userId, address }).execute()
  }
  return {
    deps,
    mails,
    confirm,
    /** A supplier that publishes a first file. */
    async createSupplier(body: string): Promise<UserRecord> {
      const supplier = await createSupplierUser(deps, { maxRetailers: 50 })
      source.set(`/${supplier.id}.csv`, { body })
      await createSupplierConnection(deps, supplier, source.url(`/${supplier.id}.csv`))
      await removeGuards(deps)
      await put(supplier, body)
      await confirm(supplier)
      return supplier
    },
    async createRetailer(supplier: UserRecord, seen?: VisibilitySettings): Promise<UserRecord> {
      const { user } = await createLinkedRetailer(deps, supplier, seen)
      await confirm(user)
      return user
    },
    choose: (user: UserRecord, choice: Partial<DigestChoice> = {}) =>
      saveDigestChoice(deps, user, { ...DAILY, ...choice }),
    put,
    hide: async (supplier: UserRecord, hidden: string[]) => {
      const connection = await deps.db
        .selectFrom('connections')
        .select(['id', 'columnPolicy'])
        .where('supplierId', '=', supplier.id)
        .executeTakeFirstOrThrow()
      const columnPolicy = { ...connection.columnPolicy, hidden }
      await deps.db
        .updateTable('connections')
        .set({ columnPolicy })
        .where('id', '=', connection.id)
        .execute()
    },
    /** Lets it be half past seven, and returns to six on the next day. */
    async passMorning() {
      deps.clock.advance(HOUR_MS + HOUR_MS / 2)
      await deps.work()
      deps.clock.advance(DAY_MS - HOUR_MS - HOUR_MS / 2)
    },
    /** All digests of a person, oldest first. */
    async told({ id }: UserRecord): Promise<DigestContent[]> {
      const rows = await deps.db
        .selectFrom('deliveries')
        .innerJoin('events', 'events.id', 'deliveries.eventId')
        .select('events.details')
        .where('deliveries.userId', '=', id)
        .where('events.kind', '=', 'digest')
        .orderBy('deliveries.id')
        .execute()
      return rows.flatMap(({ details }) => details.digest ?? [])
    },
    async close() {
      await deps.close()
      await mails.close()
      await source.close()
    },
  }
}
