import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { until } from '../support/rest-client'
import { startStage, type Stage } from '../support/stage'

const run = promisify(execFile)
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0
const CSV = 'sku,name,category,quantity\n1,Boot,Shoes,4\n2,Cap,Hats,0\n'

let stage: Stage
let retailerId: number

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: CSV })
  const northbeck = await stage.addSupplier('northbeck')
  retailerId = (await stage.addRetailer(northbeck, 'summit')).id
  await stage.addConnection(northbeck, {
    name: 'Main feed',
    url: stage.sourceServer.url('/inventory.csv'),
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

describe('programs of shops', () => {
  let folder: string
  let address: string
  const into = (name: string) => join(folder, name)
  const curl = (...options: string[]) => run('curl', ['--fail', '--silent', ...options, address])

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stockbridge-shop-'))
    const path = `/api/retailers/${retailerId}/feed-addresses`
    const { body } = await stage.admin.send('POST', path)
    address = `${stage.product.url}${(body as { path: string }).path}`
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.runIf(isInstalled('curl'))('curl downloads the file only when it has changed', async () => {
    const tag = into('etag')
    const known = ['--etag-compare', tag, '--etag-save', tag, '--output', into('curl.csv')]
    const download = async () =>
      (await curl(...known, '--write-out', '%{http_code} %{size_download}')).stdout
    expect([await download(), await download()]).toEqual([`200 ${CSV.length}`, '304 0'])
    expect(await readFile(into('curl.csv'), 'utf8')).toBe(CSV)
  })

  it.runIf(isInstalled('curl'))('curl resumes a download', async () => {
    await writeFile(into('part.csv'), CSV.slice(0, 20))
    await curl('--continue-at', '-', '--output', into('part.csv'))
    expect(await readFile(into('part.csv'), 'utf8')).toBe(CSV)
  })

  describe.runIf(isInstalled('curl'))('curl, at an address with a password,', () => {
    let password: string
    let guarded: string
    const status = async (...options: string[]) => {
      const shown = ['--silent', '--output', into('guarded.csv'), '--write-out', '%{http_code}']
      return (await run('curl', [...shown, ...options])).stdout
    }

    beforeAll(async () => {
      const path = `/api/retailers/${retailerId}/feed-addresses`
      const made = await stage.admin.send('POST', path)
      guarded = `${stage.product.url}${(made.body as { path: string }).path}`
      const answer = await stage.admin.send('PATCH', path, { password: 'new' })
      password = (answer.body as { password: string }).password
    })
    afterAll(() =>
      stage.admin.send('PATCH', `/api/retailers/${retailerId}/feed-addresses`, {
        password: 'none',
        networks: [],
      }),
    )

    it('reads with it, however it is given', async () => {
      const inAddress = guarded.replace('://', `://feed:${password}@`)
      expect(await status('-u', `feed:${password}`, guarded)).toBe('200')
      expect(await readFile(into('guarded.csv'), 'utf8')).toBe(CSV)
      expect([
        await status('-u', `anybody:${password}`, guarded),
        await status(inAddress),
        await status('--anyauth', '-u', `feed:${password}`, guarded),
        await status('--oauth2-bearer', password, guarded),
        await status('--head', '-u', `feed:${password}`, guarded),
      ]).toEqual(['200', '200', '200', '200', '200'])
    })

    it('is refused without it in every form, by a challenge', async () => {
      const { stdout } = await run('curl', ['--silent', '--include', guarded])
      expect(stdout).toMatch(/^HTTP\/1\.1 401/)
      expect(stdout).toMatch(/^www-authenticate: Basic realm="feed"\r$/m)
      const etag = `"${createHash('sha256').update(CSV).digest('hex')}"`
      expect([
        await status('-u', 'feed:wrong', guarded),
        await status('--head', guarded),
        await status('--range', '3-', guarded),
        await status('--header', `if-none-match: ${etag}`, guarded),
        await status(`${guarded}?since=abc`),
        await status(`${guarded}?format=json`),
        await status(guarded.replace('inventory.csv', 'products.csv')),
        // The one before, which still works for a day.
        await status(address),
      ]).toEqual(Array.from({ length: 8 }, () => '401'))
    })

    it('finds nothing from a network that is not listed', async () => {
      const path = `/api/retailers/${retailerId}/feed-addresses`
      await stage.admin.send('PATCH', path, { networks: ['192.0.2.0/24'] })
      expect(await status('-u', `feed:${password}`, guarded)).toBe('404')
      await stage.admin.send('PATCH', path, { networks: ['127.0.0.0/8', '::1'] })
      expect(await status('-u', `feed:${password}`, guarded)).toBe('200')
    })
  })

  it.runIf(isInstalled('wget'))('wget downloads the file only when it is newer', async () => {
    // Its time is stated from the second after it became the retailer's.
    await until(
      async () => (await fetch(address)).headers.has('last-modified'),
      (isStated) => isStated,
    )
    const options = ['--quiet', '--timestamping', '--directory-prefix', folder, address]
    await run('wget', options)
    const requests = async () =>
      (await run('wget', ['--server-response', ...options.slice(1)])).stderr
    expect(await requests()).toContain('304 Not Modified')
    expect(await readFile(into('inventory.csv'), 'utf8')).toBe(CSV)
  })

  it.runIf(isInstalled('python3'))('Python reads it with its standard library', async () => {
    const script =
      'import sys, csv, io, urllib.request as r; print(list(csv.DictReader(io.TextIOWrapper(r.urlopen(sys.argv[1]), "utf-8")))[1]["name"])'
    const { stdout } = await run('python3', ['-c', script, address])
    expect(stdout).toBe('Cap\n')
  })
})
