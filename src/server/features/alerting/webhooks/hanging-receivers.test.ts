import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import { LEASE_MS } from '../../../domain/lease'
import type { JsonPoster } from '../../../files/fetch/post-json'
import { createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { sendMessages } from '../outbox/send-messages'
import { webhookSendings } from './send-webhooks.job'
import { sendTest } from './webhook-log'
import { createWebhook } from './webhooks'

const TESTS = 30
const WEBHOOKS = 10
/** Longer than a tick; a receiver that hangs is given up after 15 seconds. */
const SOON = { timeout: 10_000 }

let deps: TestDeps
/** The hosts that were sent a request, in this order. */
let received: string[]
/** Resolves at the end of a test. */
let end: ReturnType<typeof Promise.withResolvers<void>>

beforeEach(async () => {
  received = []
  end = Promise.withResolvers<void>()
  deps = await openTestDeps({}, { posts: { post } })
})
afterEach(async () => {
  end.resolve()
  await deps.close()
})

/** Hosts whose name begins with `hang` are not answered until the test ends. */
const post: JsonPoster['post'] = async ({ url }) => {
  const { host } = new URL(url)
  received.push(host)
  if (host.startsWith('hang')) await end.promise
  return { status: 200, tookMs: 1 }
}

async function addWebhook(owner: UserRecord, host: string, isSlow = false): Promise<number> {
  const settings = { url: `https://${host}/hook`, kinds: ['feed.failed' as const], isActive: true }
  const { id } = await createWebhook(deps, owner, settings)
  await deps.db.updateTable('webhooks').set({ isSlow }).where('id', '=', id).execute()
  return id
}

/** A supplier with webhooks to hosts of these names. */
async function addOwner(hosts: string[], isSlow = false) {
  const owner = await createSupplierUser(deps)
  const ids: number[] = []
  for (const host of hosts) ids.push(await addWebhook(owner, host, isSlow))
  return { owner, ids }
}

const hostsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => `${name}-${place}.example`)
const sentTo = (name: string) => received.filter((host) => host.startsWith(name))

/** Lets the scheduler tick, and counts the requests to hosts of this name that have begun. */
const tickAndCount = (name: string) => async () => {
  await deps.queue.add({ job: 'claim-due-work', key: 'tick', payload: {} })
  return sentTo(name).length
}

describe('the requests of others', () => {
  it('are made beside thirty tests to ten receivers of one account that hang', async () => {
    const hanging = await addOwner(hostsOf('hang', WEBHOOKS))
    for (let count = 0; count < TESTS; count++) {
      await sendTest(deps, hanging.owner, hanging.ids[count % WEBHOOKS]!)
    }
    await expect.poll(tickAndCount('hang'), SOON).toBe(2)
    for (let count = 0; count < 3; count++) {
      const other = await addOwner([`other-${count}.example`])
      await sendTest(deps, other.owner, other.ids[0]!)
      await expect.poll(tickAndCount('other'), SOON).toBe(count + 1)
    }
    expect(sentTo('hang')).toHaveLength(2)
  })

  it('are made beside three accounts whose receivers hang, each from its own start', async () => {
    for (let count = 1; count <= 3; count++) {
      const { owner, ids } = await addOwner([`hang-${count}.example`])
      await sendTest(deps, owner, ids[0]!)
      await expect.poll(tickAndCount('hang'), SOON).toBe(count)
    }
    const other = await addOwner(['other.example'])
    await sendTest(deps, other.owner, other.ids[0]!)
    await expect.poll(tickAndCount('other'), SOON).toBe(1)
  })

  it('are made beside slow receivers of any number of accounts', async () => {
    for (let count = 0; count < 40; count++) {
      const { owner, ids } = await addOwner([`hang-${count}.example`], true)
      await sendTest(deps, owner, ids[0]!)
    }
    await expect.poll(tickAndCount('hang'), SOON).toBe(16)
    const other = await addOwner(['other.example'])
    await sendTest(deps, other.owner, other.ids[0]!)
    await expect.poll(tickAndCount('other'), SOON).toBe(1)
    expect(sentTo('hang')).toHaveLength(16)
  })
})

describe('the requests of one account', () => {
  it('are at most one at once to slow receivers, so that its others are sent', async () => {
    const { owner, ids } = await addOwner(hostsOf('hang', 3), true)
    const good = await addWebhook(owner, 'good.example')
    for (const id of [...ids, good]) await sendTest(deps, owner, id)
    await expect.poll(tickAndCount('good'), SOON).toBe(1)
    await expect.poll(tickAndCount('hang'), SOON).toBe(1)
    await tickAndCount('hang')()
    expect(sentTo('hang')).toHaveLength(1)
  })

  it('take turns with those of others, each with the oldest first', async () => {
    const [many, few] = [await addOwner(['many.example']), await addOwner(['few.example'])]
    const last = await addOwner(['last.example'])
    const quiet = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    for (let count = 0; count < 4; count++) await sendTest(quiet, many.owner, many.ids[0]!)
    for (let count = 0; count < 2; count++) await sendTest(quiet, few.owner, few.ids[0]!)
    await sendTest(quiet, last.owner, last.ids[0]!)
    await sendMessages(quiet, webhookSendings[0], new AbortController().signal)
    const turns = ['many', 'few', 'last', 'many', 'few', 'many', 'many']
    expect(received).toEqual(turns.map((name) => `${name}.example`))
  })

  it('whose worker died are made again when its lease has ended', async () => {
    const hanging = await addOwner(['hang.example'])
    await sendTest(deps, hanging.owner, hanging.ids[0]!)
    await expect.poll(tickAndCount('hang'), SOON).toBe(1)
    deps.clock.advance(LEASE_MS)
    await expect.poll(tickAndCount('hang'), SOON).toBe(2)
  })
})

it('a run ends long before the time limit of its job, and another one goes on at once', async () => {
  const { owner, ids } = await addOwner(['busy.example'])
  const quiet = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
  for (let count = 0; count < 30; count++) await sendTest(quiet, owner, ids[0]!)
  const { signal } = new AbortController()
  await sendMessages(quiet, webhookSendings[0], signal)
  expect(received).toHaveLength(20)
  deps.clock.advance(MINUTE_MS)
  for (let count = 0; count < 30; count++) await sendTest(quiet, owner, ids[0]!)
  await deps.work()
  expect(received).toHaveLength(60)
})
