import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { previewSourceInput } from '../../../shared/schemas/connection'
import { SECRET_MASK } from '../../../shared/schemas/source-auth'
import { createAdmin, createSupplierConnection, createSupplierUser } from '../../testing/factories'
import { startFeedServer, type FeedServer } from '../../testing/feed-server'
import { setSlowFeed } from '../../testing/slow-feed'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import type { UserRecord } from '../accounts/users.queries'
import { updateConnection } from './connections'
import { previewSource } from './source-preview'

const token = 'open-sesame'

describe('a preview of a source that asks for credentials', () => {
  let feedServer: FeedServer
  let deps: TestDeps
  let supplier: UserRecord
  let url: string
  let connectionId: number

  beforeEach(async () => {
    feedServer = await startFeedServer()
    feedServer.set('/feed.csv', {
      handler(request, response) {
        const isLetIn = request.headers.authorization === `Bearer ${token}`
        response.writeHead(isLetIn ? 200 : 401).end(isLetIn ? 'sku,qty\r\n1,5\r\n' : '')
      },
    })
    url = feedServer.url('/feed.csv')
    deps = await openTestDeps({ fetchAllow: [feedServer.host, `localhost:${feedServer.port}`] })
    supplier = await createSupplierUser(deps)
    const { id } = await createSupplierConnection(deps, supplier, url)
    connectionId = id
    await updateConnection(deps, supplier, { id, config: { url, auth: { type: 'bearer', token } } })
    await deps.queue.idle()
  })
  afterEach(async () => {
    await deps.close()
    await feedServer.close()
  })

  const preview = (actor: UserRecord, input: object) =>
    previewSource(deps, actor, previewSourceInput.parse({ url, ...input }))
  const seen = { columns: ['sku', 'qty'], rows: [['1', '5']] }

  it('sends those that it is given', async () => {
    expect(await preview(supplier, { auth: { type: 'bearer', token } })).toMatchObject(seen)
    await expect(preview(supplier, {})).rejects.toThrow('enter it under Access')
    await expect(preview(supplier, { auth: { type: 'bearer', token: 'wrong' } })).rejects.toThrow(
      'The server answered 401 Unauthorized. It does not accept the credentials',
    )
  })

  it('sends the stored ones while they are masked, to the owner and the administrator', async () => {
    const admin = await createAdmin(deps)
    for (const actor of [supplier, admin]) {
      for (const auth of [undefined, { type: 'bearer', token: SECRET_MASK }]) {
        expect(await preview(actor, { connectionId, auth })).toMatchObject(seen)
      }
    }
    await expect(
      preview(supplier, { auth: { type: 'bearer', token: SECRET_MASK } }),
    ).rejects.toThrow('Token is required')
  })

  it('says the same of a private name as of one that does not exist', async () => {
    const refusal = (name: string) =>
      `The name ${name} could not be found, or cannot be reached from here. Check how it is spelled.`
    for (const name of ['localhost', 'nowhere.invalid']) {
      const looking = preview(supplier, { url: `http://${name}/feed.csv` })
      await expect(looking).rejects.toThrow(refusal(name))
    }
  })

  it('takes a text of one column, called a page, for what a sync takes it for', async () => {
    const headers = { 'content-type': 'text/html' }
    feedServer.set('/feed.csv', { body: 'Please log in\nto see this file\n', headers })
    await expect(preview(supplier, {})).rejects.toThrow(
      'Failed to parse CSV data. The address gave a text instead of a table',
    )
    feedServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n', headers })
    expect(await preview(supplier, {})).toMatchObject(seen)
  })

  it('sends nobody the credentials of another supplier', async () => {
    const other = await createSupplierUser(deps)
    const before = feedServer.requests.length
    await expect(preview(other, { connectionId })).rejects.toThrow('Connection not found')
    expect(feedServer.requests).toHaveLength(before)
  })

  it('sends the stored ones to no other origin, and nothing when none is chosen', async () => {
    const elsewhere = url.replace('127.0.0.1', 'localhost')
    for (const input of [
      { url: elsewhere, auth: { type: 'bearer', token: SECRET_MASK } },
      { url: elsewhere },
      { auth: { type: 'none' } },
    ]) {
      await expect(preview(supplier, { connectionId, ...input })).rejects.toThrow('401')
      expect(feedServer.requests.at(-1)?.headers).not.toHaveProperty('authorization')
    }
  })
})

describe('previews of one user', () => {
  let feedServer: FeedServer
  let deps: TestDeps

  beforeEach(async () => {
    feedServer = await startFeedServer()
    deps = await openTestDeps({ fetchAllow: [feedServer.host] })
    feedServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n' })
  })
  afterEach(async () => {
    await deps.close()
    await feedServer.close()
  })

  const preview = (actor: UserRecord, path: string) =>
    previewSource(deps, actor, previewSourceInput.parse({ url: feedServer.url(path) }))

  it('are one at a time: the next one ends the one before', async () => {
    const supplier = await createSupplierUser(deps)
    const slow = setSlowFeed(feedServer, '/slow.csv', 'sku,qty\r\n')
    const first = preview(supplier, '/slow.csv')
    const refusal = first.catch((error: unknown) => error)
    await slow.asked
    expect(await preview(supplier, '/feed.csv')).toMatchObject({ rows: [['1', '5']] })
    expect(await refusal).toMatchObject({
      code: 'CONFLICT',
      message: 'You have opened another preview, which has ended this one.',
    })
    await expect.poll(slow.isClosed).toBe(true)
  })

  it('give way to the last of several that are opened at once', async () => {
    const supplier = await createSupplierUser(deps)
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => preview(supplier, '/feed.csv')))
    const expected = ['rejected', 'rejected', 'rejected', 'fulfilled']
    expect(answers.map(({ status }) => status)).toEqual(expected)
    expect(feedServer.requests.length).toBeLessThanOrEqual(2)
  })

  it('leave those of others alone', async () => {
    const slow = setSlowFeed(feedServer, '/slow.csv', 'sku,qty\r\n')
    const first = preview(await createSupplierUser(deps), '/slow.csv')
    const response = await slow.asked
    await preview(await createSupplierUser(deps), '/feed.csv')
    response.end('2,6\r\n')
    expect(await first).toMatchObject({ rows: [['2', '6']] })
  })
})
