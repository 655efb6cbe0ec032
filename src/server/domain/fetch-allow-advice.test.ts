import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction } from '../db/open'
import { aboutWebhook, recordEvent } from '../features/alerting/alerts/events'
import { listNotifications } from '../features/alerting/alerts/notifications'
import { listWebhookLog, sendTest } from '../features/alerting/webhooks/webhook-log'
import { createWebhook, listWebhooks, loadWebhook } from '../features/alerting/webhooks/webhooks'
import { listConnections } from '../features/catalogue/connections/connections'
import { readItems } from '../features/operations/live/shown-items'
import { getSupplier } from '../features/operations/suppliers/supplier-observation'
import type { UserRecord } from '../features/people/accounts/users.queries'
import { listRuns } from '../features/publication/syncs/sync-control'
import { pageTimeline } from '../features/publication/timeline/timeline'
import {
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
} from '../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { withFetchAllowAdvice } from './fetch-allow-advice'

const REFUSAL = 'Private addresses and unusual ports are not contacted from here.'
const PUBLIC = { host: '127.0.0.1', publicUrl: 'https://stock.example' }

describe('the refusal of a private address', () => {
  let deps: TestDeps
  let supplier: UserRecord
  let id: number

  beforeEach(async () => {
    deps = await openTestDeps(PUBLIC)
    supplier = await createSupplierUser(deps)
    id = (await createSupplierConnection(deps, supplier, 'http://192.168.1.5/stock.csv')).id
    await deps.work()
  })
  afterEach(() => deps.close())

  /** The reason in each place where a user of this role reads it. */
  async function readAs(actor: UserRecord) {
    const [run] = await listRuns(deps, actor, id)
    const { items } = await pageTimeline(deps, actor, { id })
    const live = await readItems(deps, actor, { items: new Map(), readAt: 0 })
    const connections =
      actor.role === 'SUPPLIER'
        ? await listConnections(deps, actor)
        : [(await getSupplier(deps, supplier.id)).connection]
    return [
      run?.reason,
      ...items.flatMap((item) => (item.kind === 'sync' ? item.reason : [])),
      ...live.items.flatMap((item) =>
        item.kind === 'connection' ? item.connection.lastError : [],
      ),
      ...connections.map((connection) => connection?.lastError),
    ]
  }

  /** The answer of a webhook at a private address, in each place where its owner reads it. */
  async function readWebhookAs(actor: UserRecord) {
    const settings = { url: 'http://192.168.1.5/hook', kinds: [], isActive: true }
    const webhook = await createWebhook(deps, actor, settings)
    await sendTest(deps, actor, webhook.id)
    await inTransaction(deps.db, async (trx) => {
      const about = aboutWebhook(await loadWebhook(trx, actor, webhook.id), actor)
      const event = { kind: 'webhook.switched-off', details: { reason: REFUSAL } } as const
      await recordEvent(trx, about, { ...event, now: deps.clock.now() })
    })
    await deps.work()
    const [delivery] = await listWebhookLog(deps, actor, webhook.id)
    const [listed] = await listWebhooks(deps, actor)
    const { notifications } = await listNotifications(deps, actor)
    const told = notifications.find(({ kind }) => kind === 'webhook.switched-off')
    return [delivery?.answer, listed?.last?.answer, told?.text.replace(/^.*The last time: /, '')]
  }

  it('tells administrators of the setting, and suppliers only that it is refused', async () => {
    const told = await readAs(await createAdmin(deps))
    expect(told).toHaveLength(4)
    for (const reason of told) expect(reason).toMatch(/ the setting FETCH_ALLOW of the server\.$/)
    expect(await readAs(supplier)).toEqual(Array(4).fill(REFUSAL))
  })

  it('of a webhook tells the same, in its log, its list and the bell', async () => {
    for (const answer of await readWebhookAs(await createAdmin(deps)))
      expect(answer).toMatch(/ the setting FETCH_ALLOW of the server\.$/)
    expect(await readWebhookAs(supplier)).toEqual(Array(3).fill(REFUSAL))
  })

  it('tells everybody of the setting on a machine of their own', async () => {
    deps.config = { ...deps.config, publicUrl: undefined }
    const told = [...(await readAs(supplier)), ...(await readWebhookAs(supplier))]
    for (const reason of told) expect(reason).toContain('FETCH_ALLOW')
  })
})

it.each([
  ['127.0.0.1', undefined, true],
  ['localhost', 'http://localhost:3000', true],
  ['::1', 'http://[::1]:3000', true],
  ['0.0.0.0', undefined, false],
  ['127.0.0.1', 'https://stock.example', false],
  ['127.0.0.1', 'https://127.stock.example', false],
])(
  'an installation at %s with PUBLIC_URL %s is of its own machine: %s',
  async (host, url, isOwn) => {
    const deps = await openTestDeps({ host, publicUrl: url })
    expect(withFetchAllowAdvice('SUPPLIER', REFUSAL, deps.config).includes('FETCH_ALLOW')).toBe(
      isOwn,
    )
    await deps.close()
  },
)
