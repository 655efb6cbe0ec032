import { createHash } from 'node:crypto'
import { connect, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../shared/durations'
import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { createConnection } from '../../features/catalogue/connections/connections'
import { createUploadLink } from '../../features/publication/upload-links/upload-links'
import { createAdmin, createSupplierUser } from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

const MAX_BYTES = 4_096
const STOCK = 'sku,qty\r\n1,5\r\n2,7\r\n'
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** A sync may have begun already. */
const UNREAD: unknown = expect.stringMatching(/^(?:waiting|reading)$/)

let testApp: TestApp
let supplier: Client
let owner: Awaited<ReturnType<typeof createSupplierUser>>
let connectionId: number

beforeEach(async () => {
  testApp = await openTestApp({ maxFileBytes: MAX_BYTES })
  owner = await createSupplierUser(testApp.deps)
  supplier = await testApp.signIn(owner)
  const settings = { name: 'Stock', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 } as const
  const input = { ...settings, config: {}, isActive: true }
  connectionId = (await createConnection(testApp.deps, owner, input)).id
})
afterEach(() => testApp.close())

const put = (body: unknown, headers: Record<string, string> = {}, query = '') =>
  supplier.request('PUT', `/api/connections/${connectionId}/file${query}`, body, headers)

async function listed(): Promise<ReceivedFile[]> {
  const { body } = await supplier.request('GET', `/api/connections/${connectionId}/received-files`)
  return body as ReceivedFile[]
}

describe('a file that is sent', () => {
  it('is answered with its place, and published by the next sync', async () => {
    const { status, body, headers } = await put(STOCK, {}, '?name=stock.csv')
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { fileName: 'stock.csv', sizeBytes: STOCK.length, state: UNREAD, endedAt: null },
    })
    const place = String(headers.location)
    await testApp.deps.work()
    expect((await supplier.request('GET', place)).body).toMatchObject({
      state: 'published',
      rows: 2,
      receivedBy: owner.username,
      linkEnd: null,
    })
  })

  it('can be waited for', async () => {
    const answer = put(STOCK, { prefer: 'respond-async, wait=30' })
    await expect.poll(listed).toHaveLength(1)
    await testApp.deps.work()
    expect(await answer).toMatchObject({ status: 200, body: { state: 'published', rows: 2 } })
  })

  it.each([
    ['text/csv', STOCK],
    ['application/json', STOCK],
    // What `curl --data-binary` says of any file.
    ['application/x-www-form-urlencoded', STOCK],
    ['application/octet-stream', gzipSync(STOCK)],
  ])('may have the type %s', async (type, bytes) => {
    expect((await put(bytes, { 'content-type': type })).status).toBe(202)
    await testApp.deps.work()
    expect(await listed()).toMatchObject([{ state: 'published', rows: 2 }])
  })

  it.each([
    [{ 'content-digest': `sha-256=:${digestOf(STOCK)}:` }, 202],
    [{ digest: `MD5=abc, SHA-256=${digestOf(STOCK)}` }, 202],
    [{ 'content-digest': 'sha-512=:abc:' }, 202],
    [{ 'content-digest': `sha-256=:${digestOf('another')}:` }, 400],
    [{ digest: `sha-256=${digestOf('another')}` }, 400],
    [{ digest: 'sha-256=none' }, 400],
  ])('with the digest %j is answered with %i', async (headers, status) => {
    expect((await put(STOCK, headers as unknown as Record<string, string>)).status).toBe(status)
    expect(await listed()).toHaveLength(status === 202 ? 1 : 0)
  })

  it.each([
    [{}, '', 'file'],
    [{}, '?name=stock.csv', 'stock.csv'],
    [{}, `?name=${encodeURIComponent('C:\\lists\\Lager Mörz.xlsx')}`, 'Lager Mörz.xlsx'],
    [{}, `?name=${encodeURIComponent('../../etc/passwd')}`, 'passwd'],
    [{}, `?name=${encodeURIComponent('a\u202Eb\nc.csv')}`, 'abc.csv'],
    [{}, `?name=${'x'.repeat(300)}`, 'x'.repeat(200)],
    [{}, '?name=a&name=b', 'file'],
    [{ 'content-disposition': 'attachment; filename="a \\"b\\".csv"' }, '', 'a "b".csv'],
    [
      { 'content-disposition': "attachment; filename=a.csv; filename*=UTF-8''%c3%a4.csv" },
      '',
      'ä.csv',
    ],
    [{ 'content-disposition': "attachment; filename=a.csv; filename*=UTF-8''%ff" }, '', 'a.csv'],
  ])('with %j%s is called by its name', async (headers, query, name) => {
    await put(STOCK, headers as unknown as Record<string, string>, query)
    expect((await listed()).map(({ fileName }) => fileName)).toEqual([name])
  })

  it.each([
    ['no bytes', '', {}, 400],
    ['a part', STOCK, { 'content-range': 'bytes 0-9/20' }, 400],
    ['too many bytes', 'x'.repeat(MAX_BYTES + 1), {}, 413],
    ['a form', STOCK, { 'content-type': 'multipart/form-data; boundary=x' }, 400],
    ['from another site', STOCK, { origin: 'https://evil.example' }, 403],
  ])('as %s is refused', async (_what, bytes, headers, status) => {
    expect((await put(bytes, headers as unknown as Record<string, string>)).status).toBe(status)
    expect(await listed()).toEqual([])
    const left = await testApp.deps.db.selectFrom('uploads').selectAll().execute()
    expect(left).toEqual([])
  })

  it('is refused while the connection is paused', async () => {
    await supplier.request('PATCH', `/api/connections/${connectionId}`, { isActive: false })
    expect(await put(STOCK)).toMatchObject({
      status: 409,
      body: { message: 'This connection is paused. Activate it to send a file.' },
    })
  })

  it('may be sent by an administrator, and by no other supplier', async () => {
    const admin = await testApp.signIn(await createAdmin(testApp.deps))
    const other = await testApp.signIn(await createSupplierUser(testApp.deps))
    const url = `/api/connections/${connectionId}/file`
    expect((await admin.request('PUT', url, STOCK)).status).toBe(202)
    expect((await other.request('PUT', url, STOCK)).status).toBe(404)
    expect((await testApp.client().request('PUT', url, STOCK)).status).toBe(401)
  })
})

describe('over a socket', () => {
  /** Sends raw bytes, and reads until the answer is complete. */
  async function send(...parts: string[]): Promise<string> {
    await testApp.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = testApp.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    for (const part of parts) socket.write(part)
    await expect.poll(() => answer).toMatch(/\r\n\r\n\{.*\}$/)
    socket.destroy()
    return answer
  }

  const head = (method: string, more: string) =>
    `${method} /api/connections/${connectionId}/file HTTP/1.1\r\nhost: localhost\r\ncookie: ${supplier.cookie}\r\n${more}\r\n\r\n`

  it('a file that turns out to be too large is answered before it has arrived', async () => {
    const part = 'x'.repeat(MAX_BYTES + 1)
    const chunk = `${part.length.toString(16)}\r\n${part}\r\n`
    expect(await send(head('PUT', 'transfer-encoding: chunked'), chunk)).toContain(
      '413 Payload Too Large',
    )
    expect(await listed()).toEqual([])
  })

  it('a file that does not arrive completely leaves nothing behind', async () => {
    await testApp.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = testApp.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(`${head('PUT', 'content-length: 100')}${STOCK}`)
    const uploads = () => testApp.deps.db.selectFrom('uploads').select('id').execute()
    await expect.poll(uploads).toHaveLength(1)
    socket.destroy()
    await expect.poll(uploads).toHaveLength(0)
    expect(await listed()).toEqual([])
  })

  it('waits for the leave of a client that asks first', async () => {
    const more = `expect: 100-continue\r\ncontent-length: ${STOCK.length}`
    const answer = await send(head('PUT', more), STOCK)
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 202 Accepted/)
  })
})

describe('an upload link', () => {
  const make = async () => (await createUploadLink(testApp.deps, owner, connectionId)).path
  const warehouse = () => testApp.client(undefined, '203.0.113.9')

  it('takes files without a session, and shows what became of them, and nothing else', async () => {
    const path = await make()
    const sent = await warehouse().request('PUT', `${path}?name=stock.csv`, STOCK)
    expect(sent).toMatchObject({ status: 202, body: { state: UNREAD, receivedBy: null } })
    await testApp.deps.work()
    await put(STOCK.replace('5', '6'))
    await testApp.deps.work()
    const { body } = await warehouse().request('GET', `/api${path}`)
    expect(body).toEqual({
      connectionName: 'Stock',
      supplierName: 'Acme',
      maxBytes: MAX_BYTES,
      isPaused: false,
      takesUpdates: false,
      files: [
        expect.objectContaining({ state: 'published', receivedBy: null, linkEnd: null }),
        expect.objectContaining({ state: 'published', linkEnd: path.slice(-4) }),
      ],
    })
  })

  it.each([
    ['POST', ''],
    ['PUT', '/stock.csv'],
  ])('takes a file by %s %s', async (method, end) => {
    const { status, body } = await warehouse().request(method, `${await make()}${end}`, STOCK)
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { fileName: end === '' ? 'file' : 'stock.csv' },
    })
  })

  it('tells when it was used, and by what', async () => {
    const agent = { 'user-agent': 'curl/8.5.0' }
    await warehouse().request('PUT', await make(), STOCK, agent)
    const links = await supplier.request('GET', `/api/connections/${connectionId}/upload-links`)
    expect(links.body).toMatchObject([{ lastClient: 'curl', expiresAt: null }])
  })

  it('that is wrong, revoked, or of a supplier that may not sign in is not found', async () => {
    const path = await make()
    const revoked = path
    await supplier.request('DELETE', `/api/connections/${connectionId}/upload-links`)
    const another = await make()
    await testApp.deps.db.updateTable('users').set({ isActive: false }).execute()
    for (const link of ['/upload/wrong', revoked, another]) {
      const answers = [
        await warehouse().request('PUT', link, STOCK),
        await warehouse().request('GET', `/api${link}`),
      ]
      for (const { status, text } of answers) {
        expect({ status, text }).toEqual({
          status: 404,
          text: '{"message":"Upload link not found"}',
        })
      }
    }
  })

  it('takes a limited number of files in an hour, which leaves some to its supplier', async () => {
    testApp.deps.limits.uploadByLink = { max: 2, windowMs: HOUR_MS }
    testApp.deps.hold()
    const path = await make()
    const statuses = []
    for (let count = 0; count < 3; count++) {
      statuses.push((await warehouse().request('PUT', path, STOCK)).status)
    }
    expect(statuses).toEqual([202, 202, 429])
    expect((await put(STOCK)).status).toBe(202)
  })

  it('takes a limited number of files from one address, by whichever link', async () => {
    testApp.deps.limits.uploadFromClient = { max: 1, windowMs: HOUR_MS }
    testApp.deps.hold()
    const send = async (client: Client) => (await client.request('PUT', await make(), STOCK)).status
    expect(await send(warehouse())).toBe(202)
    expect(await send(warehouse())).toBe(429)
    expect(await send(testApp.client(undefined, '203.0.113.10'))).toBe(202)
  })
})

describe('a file that is sent to be looked at', () => {
  const look = (body: unknown, query = '') =>
    supplier.request('POST', `/api/connections/preview-file${query}`, body)

  it('is previewed, and neither stored nor read', async () => {
    const { status, body } = await look('sku;qty\n1;5\n')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        columns: ['sku', 'qty'],
        rows: [['1', '5']],
        parts: { sheets: [], members: [], records: [] },
      },
    })
    expect(await listed()).toEqual([])
  })

  it('is read as chosen, or as the connection says', async () => {
    const reading = encodeURIComponent(JSON.stringify({ skipLines: 1 }))
    expect(await look('x\nsku;qty\n1;5\n', `?reading=${reading}`)).toMatchObject({
      body: { columns: ['sku', 'qty'] },
    })
    await supplier.request('PATCH', `/api/connections/${connectionId}`, {
      reading: { hasHeader: false },
    })
    expect(await look('sku;qty\n1;5\n', `?connectionId=${connectionId}`)).toMatchObject({
      body: { columns: ['column_1', 'column_2'] },
    })
  })

  it.each([
    ['without bytes', '', '', 400, 'The file is empty'],
    [
      'that is too large',
      'x'.repeat(MAX_BYTES + 1),
      '',
      413,
      'The file is larger than 4 KB, the maximum size.',
    ],
    [
      'that is no table',
      '<html>',
      '',
      400,
      'Failed to parse CSV data. The file is a web page (HTML) instead of a CSV file or a workbook.',
    ],
    ['with columns that are no JSON', 'a,b\n', '?columnRoles={', 400, 'columnRoles must be JSON'],
    ['with a reading that is no JSON', 'a,b\n', '?reading={', 400, 'reading must be JSON'],
    [
      'for a connection that does not exist',
      'a,b\n',
      '?connectionId=999',
      404,
      'Connection not found',
    ],
  ])('is refused %s', async (_what, body, query, status, message) => {
    expect(await look(body, query)).toMatchObject({ status, body: { message } })
  })

  it('is refused for a connection of another supplier', async () => {
    const other = await testApp.signIn(
      await createSupplierUser(testApp.deps, { username: 'other' }),
    )
    const { status } = await other.request(
      'POST',
      `/api/connections/preview-file?connectionId=${connectionId}`,
      'a,b\n',
    )
    expect(status).toBe(404)
  })
})
