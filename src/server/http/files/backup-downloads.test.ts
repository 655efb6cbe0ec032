import { readdir, readFile, readlink } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { extract } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createAdmin } from '../../testing/fixtures/factories'
import { putBackup } from '../../testing/fixtures/stock'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

const LIST = '/api/admin/backup-files'
const MIB = 1024 * 1024

let testApp: TestApp
let admin: Client

beforeEach(async () => {
  testApp = await openTestApp()
  admin = await testApp.signIn(await createAdmin(testApp.deps))
})
afterEach(() => testApp.close())

describe('the list of backups', () => {
  beforeEach(async () => {
    await putBackup(testApp.deps, 'first')
    testApp.deps.clock.advance(60_000)
    await putBackup(testApp.deps, 'second', ['sku\r\n1\r\n'])
  })

  it('lists the newest first, with size, times and download URL', async () => {
    const { status, body } = await admin.request('GET', LIST)
    const filename = 'stockbridge-2026-01-15T08-31-00-000Z.tar'
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        filename,
        kind: 'daily',
        size: 4_608,
        createdAt: '2026-01-15T08:31:00.000Z',
        downloadUrl: `${LIST}/${filename}`,
        verifiedAt: '2026-01-15T08:31:02.000Z',
        filesReadSince: '2026-01-15T08:31:00.000Z',
        durationMs: 2_000,
        drill: { isRunning: false, finishedAt: null, outcome: null, reason: null },
      },
      expect.objectContaining({ createdAt: '2026-01-15T08:30:00.000Z' }),
    ])
  })

  it.each([
    ['', 2],
    ['?jobName=backup', 2],
    ['?jobName=backup&other=1', 2],
    ['?jobName=clean-up', 0],
    ['?jobName=', 0],
    ['?jobName=__proto__', 0],
  ])('is limited to the job named in the query: %s', async (query, count) => {
    const { status, body } = await admin.request('GET', `${LIST}${query}`)
    expect([status, body]).toEqual([200, expect.objectContaining({ length: count })])
  })

  it.each(['?jobName=backup&jobName=other', `?jobName=${'x'.repeat(101)}`])(
    'refuses a query that cannot name a job: %s',
    async (query) => {
      expect((await admin.request('GET', `${LIST}${query}`)).status).toBe(400)
    },
  )

  it('is the same over tRPC', async () => {
    const { body } = await admin.call('query', 'backups.list', { jobName: 'backup' })
    expect(body).toMatchObject({ result: { data: expect.objectContaining({ length: 2 }) as [] } })
  })
})

describe('the download of a backup', () => {
  const FILE = 'sku,qty\r\n1,5\r\n'
  const toUrl = async (
    ...content: Parameters<typeof putBackup> extends [unknown, ...infer R] ? R : never
  ) => `${LIST}/${(await putBackup(testApp.deps, ...content)).name}.tar`

  it('is a tar archive of the manifest, the database and the files', async () => {
    const url = await toUrl('the database', [FILE])
    const { rawPayload } = await testApp.app.inject({ url, headers: { cookie: admin.cookie } })
    const entries: [string, string][] = []
    for await (const entry of Readable.from([rawPayload]).pipe(extract())) {
      entries.push([entry.header.name, await text(entry)])
    }
    expect(entries).toEqual([
      ['manifest.json', expect.stringContaining('"formatVersion": 1')],
      ['app.db', 'the database'],
      [expect.stringMatching(/^files\/[0-9a-f]{64}\.csv$/), FILE],
    ])
  })

  it('states its exact length and is an attachment that is never cached', async () => {
    const url = await toUrl('the database', [FILE])
    const { headers, text: content } = await admin.request('GET', url)
    expect(headers).toMatchObject({
      'content-type': 'application/x-tar',
      'content-length': `${Buffer.byteLength(content)}`,
      'content-disposition': `attachment; filename="${url.split('/').at(-1)}"`,
      'cache-control': 'private, no-store',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    })
    const head = await admin.request('HEAD', url)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers).toMatchObject({ 'content-length': headers['content-length'] })
  })

  it.each([
    'stockbridge-2020-01-01T00-00-00-000Z.tar',
    'stockbridge-2026-01-15T08-30-00-000Z',
    'stockbridge-2026-01-15T08-30-00-000Z.TAR',
    'stockbridge-2026-01-15T08-30-00-000Z.tar%00',
    'stockbridge-2026-01-15T08-30-00-000Z.tar%2f',
    'drafts.tar',
    '.tar',
    '..%2f..%2fapp.db',
    '%2e%2e%2fapp.tar',
    '__proto__',
    'a'.repeat(300),
  ])('returns 404 for a name that is not exactly that of a backup: %s', async (name) => {
    await toUrl()
    const response = await admin.request('GET', `${LIST}/${name}`)
    expect([response.status, response.body]).toEqual([
      404,
      { message: expect.stringMatching(/^(?:Backup file n|N)ot found$/) as string },
    ])
  })

  /** The backup files that this process has open, with the read position in each. */
  async function listOpenFiles() {
    const reading: { name: string; position: number }[] = []
    for (const fd of await readdir('/proc/self/fd')) {
      const path = await readlink(`/proc/self/fd/${fd}`).catch(() => '')
      if (!path.startsWith(testApp.deps.config.backupsDir)) continue
      const info = await readFile(`/proc/self/fdinfo/${fd}`, 'utf8')
      reading.push({ name: path, position: Number(/pos:\s+(\d+)/.exec(info)?.[1]) })
    }
    return reading
  }

  async function beginDownload(): Promise<IncomingMessage> {
    const url = await toUrl('x'.repeat(64 * MIB), [FILE])
    await testApp.app.listen({ port: 0 })
    const { port } = testApp.app.server.address() as AddressInfo
    return new Promise((resolve, reject) => {
      const headers = { cookie: admin.cookie ?? '' }
      get({ port, path: url, headers }, resolve).once('error', reject)
    })
  }

  it('reads no faster than the client, and closes its files when the client disconnects', async () => {
    const response = await beginDownload()
    response.once('data', () => response.pause())
    let last = -1
    const hasStopped = async () => {
      const [part] = await listOpenFiles()
      const isSame = part !== undefined && part.position === last
      last = part?.position ?? -1
      return isSame
    }
    await expect.poll(hasStopped, { interval: 200, timeout: 20_000 }).toBe(true)
    expect(last).toBeLessThan(32 * MIB)
    response.destroy()
    await expect.poll(listOpenFiles, { timeout: 20_000 }).toEqual([])
  })

  it('is complete when the backup is replaced meanwhile', async () => {
    const response = await beginDownload()
    const [backup] = await testApp.deps.backups.list()
    await testApp.deps.backups.delete(backup!.name)
    let bytes = 0
    for await (const chunk of response) bytes += (chunk as Buffer).byteLength
    expect(bytes).toBe(backup!.archiveBytes)
    const { status } = await admin.request('GET', `${LIST}/${backup!.name}.tar`)
    expect(status).toBe(404)
  })
})
