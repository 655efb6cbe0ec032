import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { previewSourceInput } from '../../../../shared/schemas/connection'
import { SECRET_MASK } from '../../../../shared/schemas/source-auth'
import {
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { setSlowSource } from '../../../testing/servers/slow-source'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { updateConnection } from './connections'
import { previewSource } from './source-preview'

const token = 'open-sesame'

describe('a preview of a source that requires credentials', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let url: string
  let connectionId: number

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    sourceServer.set('/feed.csv', {
      handler(request, response) {
        const isAuthorized = request.headers.authorization === `Bearer ${token}`
        response.writeHead(isAuthorized ? 200 : 401).end(isAuthorized ? 'sku,qty\r\n1,5\r\n' : '')
      },
    })
    url = sourceServer.url('/feed.csv')
    deps = await openTestDeps({ fetchAllow: [sourceServer.host, `localhost:${sourceServer.port}`] })
    supplier = await createSupplierUser(deps)
    const { id } = await createSupplierConnection(deps, supplier, url)
    connectionId = id
    await updateConnection(deps, supplier, { id, config: { url, auth: { type: 'bearer', token } } })
    await deps.queue.idle()
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  const preview = (actor: UserRecord, input: object) =>
    previewSource(deps, actor, previewSourceInput.parse({ url, ...input }))
  const seen = { columns: ['sku', 'qty'], rows: [['1', '5']] }

  it('sends the given credentials', async () => {
    expect(await preview(supplier, { auth: { type: 'bearer', token } })).toMatchObject(seen)
    await expect(preview(supplier, {})).rejects.toThrow('enter them under Access')
    await expect(preview(supplier, { auth: { type: 'bearer', token: 'wrong' } })).rejects.toThrow(
      'The server answered 401 Unauthorized. It does not accept the credentials',
    )
  })

  it('sends the stored credentials when the input masks them or leaves them out', async () => {
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

  it('tells how to allow a refused address only those who can', async () => {
    const admin = await createAdmin(deps)
    const refusal = 'Private addresses and unusual ports are not contacted from here.'
    const advice = `${refusal} To allow this one, add its host and port to the setting FETCH_ALLOW of the server.`
    const publicUrl = 'https://stock.example'
    for (const host of ['192.168.1.5', 'localhost', 'shop.localhost', '[::1]', '127.1']) {
      const source = { url: `http://${host}/stock.csv` }
      deps.config = { ...deps.config, host: '127.0.0.1', publicUrl: undefined }
      await expect(preview(supplier, source)).rejects.toMatchObject({ message: advice })
      deps.config = { ...deps.config, publicUrl }
      await expect(preview(supplier, source)).rejects.toMatchObject({ message: refusal })
      await expect(preview(admin, source)).rejects.toMatchObject({ message: advice })
    }
    const unknown = preview(admin, { url: 'http://nowhere.invalid/feed.csv' })
    await expect(unknown).rejects.toThrow('The name nowhere.invalid could not be found')
  })

  it('advises nobody to allow what the source redirects to', async () => {
    const redirect = { status: 302, headers: { location: 'http://192.168.1.5/stock.csv' } }
    sourceServer.set('/feed.csv', redirect)
    await expect(preview(await createAdmin(deps), {})).rejects.toMatchObject({
      message:
        'The server redirects to a private address or an unusual port. These are not contacted from here.',
    })
  })

  it('refuses a one-column text served as HTML, as a sync does', async () => {
    const headers = { 'content-type': 'text/html' }
    sourceServer.set('/feed.csv', { body: 'Please log in\nto see this file\n', headers })
    await expect(preview(supplier, {})).rejects.toThrow(
      'Failed to parse CSV data. The file is a text instead of a table',
    )
    sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n', headers })
    expect(await preview(supplier, {})).toMatchObject(seen)
  })

  it('never sends the credentials of another supplier', async () => {
    const other = await createSupplierUser(deps)
    const before = sourceServer.requests.length
    await expect(preview(other, { connectionId })).rejects.toThrow('Connection not found')
    expect(sourceServer.requests).toHaveLength(before)
  })

  it('does not send stored credentials to another origin, or when none are chosen', async () => {
    const elsewhere = url.replace('127.0.0.1', 'localhost')
    for (const input of [
      { url: elsewhere, auth: { type: 'bearer', token: SECRET_MASK } },
      { url: elsewhere },
      { auth: { type: 'none' } },
    ]) {
      await expect(preview(supplier, { connectionId, ...input })).rejects.toThrow('401')
      expect(sourceServer.requests.at(-1)?.headers).not.toHaveProperty('authorization')
    }
  })
})

describe('a preview with a chosen reading', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    supplier = await createSupplierUser(deps)
    sourceServer.set('/feed.csv', { body: 'sku,name\r\n1,Boot\r\n2,Hat\r\n' })
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  const preview = (input: object) =>
    previewSource(
      deps,
      supplier,
      previewSourceInput.parse({ url: sourceServer.url('/feed.csv'), ...input }),
    )

  it('obeys it, or else that of the connection', async () => {
    const { id } = await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    await updateConnection(deps, supplier, { id, reading: { ...AUTOMATIC_READING, skipLines: 1 } })
    await deps.queue.idle()
    expect(await preview({})).toMatchObject({ columns: ['sku', 'name'] })
    expect(await preview({ connectionId: id })).toMatchObject({ columns: ['1', 'Boot'] })
    expect(await preview({ connectionId: id, reading: {} })).toMatchObject({
      columns: ['sku', 'name'],
    })
  })

  it('names the choice that does not fit', async () => {
    await expect(preview({ reading: { delimiter: ';' } })).rejects.toThrow(
      'Failed to parse CSV data. The chosen delimiter, semicolon, is not in the first row. ' +
        'A comma separates its cells.',
    )
  })
})

describe('previews of one user', () => {
  let sourceServer: SourceServer
  let deps: TestDeps

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n' })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await deps.close()
    await sourceServer.close()
  })

  const preview = (actor: UserRecord, path: string) =>
    previewSource(deps, actor, previewSourceInput.parse({ url: sourceServer.url(path) }))

  it('run one at a time: the next one cancels the one before', async () => {
    const supplier = await createSupplierUser(deps)
    const slow = setSlowSource(sourceServer, '/slow.csv', 'sku,qty\r\n')
    const first = preview(supplier, '/slow.csv')
    const refusal = first.catch((error: unknown) => error)
    await slow.asked
    expect(await preview(supplier, '/feed.csv')).toMatchObject({ rows: [['1', '5']] })
    expect(await refusal).toMatchObject({
      code: 'CONFLICT',
      message: 'This preview was cancelled because you opened another one.',
    })
    await expect.poll(slow.isClosed).toBe(true)
  })

  it('are all cancelled but the last when several start at once', async () => {
    const supplier = await createSupplierUser(deps)
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => preview(supplier, '/feed.csv')))
    const expected = ['rejected', 'rejected', 'rejected', 'fulfilled']
    expect(results.map(({ status }) => status)).toEqual(expected)
    expect(sourceServer.requests.length).toBeLessThanOrEqual(2)
  })

  it('that take too long are told of the address and of the file: either may be slow', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort())
    await expect(preview(await createSupplierUser(deps), '/feed.csv')).rejects.toThrow(
      'Within 15 seconds, the address did not send enough for a preview, or the file could not be read. A sync has more time.',
    )
  })

  it('do not cancel the previews of other users', async () => {
    const slow = setSlowSource(sourceServer, '/slow.csv', 'sku,qty\r\n')
    const first = preview(await createSupplierUser(deps), '/slow.csv')
    const response = await slow.asked
    await preview(await createSupplierUser(deps), '/feed.csv')
    response.end('2,6\r\n')
    expect(await first).toMatchObject({ rows: [['2', '6']] })
  })
})
