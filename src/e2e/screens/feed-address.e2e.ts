import { execFile, spawnSync } from 'node:child_process'
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
