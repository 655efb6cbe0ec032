import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { NewApiKey } from '../../shared/schemas/api-key'
import type { FileListing } from '../../shared/schemas/file'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  type Product,
} from '../support/product'
import { createRestClient, type RestClient } from '../support/rest-client'

const run = promisify(execFile)
const isInstalled = spawnSync('curl', ['--version']).status === 0
const CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n'
const PASSWORD = 'a long password'

/** Keys are used as programs use them, against two processes on one database. */
describe.runIf(isInstalled)('curl with an API key', () => {
  let dataDir: string
  let folder: string
  let products: Product[]
  let supplier: RestClient
  let connectionId: number

  beforeAll(async () => {
    dataDir = await makeDataDir()
    folder = await mkdtemp(join(tmpdir(), 'stockbridge-keys-'))
    products = [await startProduct(dataDir), await startProduct(dataDir)]
    const admin = createRestClient(products[0]!.url)
    await admin.signIn('admin', ADMIN_PASSWORD)
    const company = { companyName: 'Northbeck', contactEmail: 'post@example.com' }
    const login = { username: 'northbeck', password: PASSWORD, ...company }
    await admin.send('POST', '/api/suppliers', login)
    supplier = createRestClient(products[0]!.url)
    await supplier.signIn('northbeck', PASSWORD)
    const settings = { name: 'By hand', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
    const { body } = await supplier.send('POST', '/api/connections', {
      ...settings,
      config: {},
    })
    connectionId = (body as { id: number }).id
  })
  afterAll(async () => {
    await Promise.all(products.map((product) => product.stop()))
    await removeDataDir(dataDir)
    await rm(folder, { recursive: true })
  })

  async function make(...scopes: string[]): Promise<NewApiKey> {
    const input = { name: scopes.join(' '), scopes }
    const { body, text } = await supplier.send('POST', '/trpc/apiKeys.create', input)
    const { result } = body as { result?: { data: NewApiKey } }
    if (!result) throw new Error(text)
    return result.data
  }

  /** The status of a call, and what it returned. */
  async function curl(token: string, path: string, options: string[] = [], at = 0) {
    const output = join(folder, 'answer')
    const { stdout } = await run('curl', [
      '--silent',
      '--header',
      `Authorization: Bearer ${token}`,
      '--output',
      output,
      '--write-out',
      '%{http_code}',
      ...options,
      `${products[at]!.url}${path}`,
    ])
    return { status: Number(stdout), text: await readFile(output, 'utf8') }
  }

  it('sends a file, and downloads what became of it', async () => {
    const { token } = await make('upload', 'feed')
    const stock = join(folder, 'stock.csv')
    await writeFile(stock, CSV)
    const wait = ['--upload-file', stock, '--header', 'Prefer: wait=30']
    const sent = await curl(token, `/api/connections/${connectionId}/file`, wait)
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('"published"')])
    const files = await curl(token, `/api/connections/${connectionId}/files`)
    const [{ fileName } = { fileName: '' }] = (JSON.parse(files.text) as FileListing).files
    const file = await curl(token, `/api/connections/${connectionId}/files/${fileName}`)
    expect([file.status, file.text]).toEqual([200, CSV])
  })

  it('is refused what the key was not made for', async () => {
    const { token } = await make('read')
    expect(await curl(token, `/api/connections/${connectionId}/sync`, ['-X', 'POST'])).toEqual({
      status: 403,
      text: '{"message":"This key does not have the scope write","code":"key_scope"}',
    })
    expect((await curl(token, '/trpc/session.current')).status).toBe(401)
    expect((await curl(token, '/api/account/data.json')).status).toBe(403)
    expect((await curl(token, '/api/user', ['--cookie', supplier.cookie()])).status).toBe(400)
  })

  it('is refused by every process as soon as one has ended the key', async () => {
    const { key, token } = await make('read')
    const statuses = async () => [
      (await curl(token, '/api/user', [], 0)).status,
      (await curl(token, '/api/user', [], 1)).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await supplier.send('POST', '/trpc/apiKeys.end', { id: key.id })
    expect(await statuses()).toEqual([401, 401])
  })
})
