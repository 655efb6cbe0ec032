import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'

/** More than is buffered before the first write, so that the draft exists while it is fetched. */
const HEAD = `sku,name,category,qty\r\n${'1,"Boot, brown",Boots,5\r\n'.repeat(50_000)}`

let directory: string
let sourceServer: SourceServer
let finishFile: () => void
const children: ChildProcess[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-private-'))
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', {
    handler(_request, response) {
      response.write(HEAD)
      finishFile = () => response.end('2,Hat,Hats,3\r\n')
    },
  })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await sourceServer.close()
  await rm(directory, { recursive: true, force: true })
})

/** Starts a program of the build with umask 0. */
function start(...args: string[]): ChildProcess {
  const before = process.umask(0)
  try {
    const child = spawn(process.execPath, [resolve('scripts/run.mjs'), ...args], {
      cwd: directory,
      env: {
        DATA_DIR: join(directory, 'data'),
        FETCH_ALLOW: sourceServer.host,
        PORT: '0',
        MIN_FREE_BYTES: '0',
      },
    })
    children.push(child)
    return child
  } finally {
    process.umask(before)
  }
}

async function run(command: string, ...args: string[]): Promise<string> {
  const child = start(command, ...args)
  const exited = once(child, 'exit')
  const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  expect(await exited, err).toEqual([0, null])
  return out
}

/** Kind and mode of everything in the data folder, by path. */
function listModes(): Map<string, string> {
  const names = [
    '.',
    ...readdirSync(join(directory, 'data'), { recursive: true, encoding: 'utf8' }),
  ]
  return new Map(
    names.flatMap((name) => {
      // Temporary files, such as drafts, may be gone.
      const stats = lstatSync(join(directory, 'data', name), { throwIfNoEntry: false })
      const kind = stats?.isDirectory() ? 'folder' : 'file'
      return stats ? [[name, `${kind} ${(stats.mode & 0o777).toString(8)}`] as const] : []
    }),
  )
}

/** Entries that others than the owner can access. */
const listOpen = () =>
  [...listModes()].filter(([, mode]) => mode !== 'folder 700' && mode !== 'file 600')

const has = (pattern: RegExp) => [...listModes().keys()].some((name) => pattern.test(name))

describe('with umask 0, only the owner can access the data', () => {
  it('during a first start, a sync, filtering, a backup and a restore', async () => {
    const seeds = [
      {
        username: 'acme',
        password: 'correct horse',
        companyName: 'Acme',
        contactEmail: 'a@example.com',
        connection: { url: sourceServer.url('/feed.csv') },
        retailers: [
          { username: 'shop', password: 'correct horse', storeName: 'Shop', categories: ['Hats'] },
        ],
      },
    ]
    await writeFile(join(directory, 'seeds.json'), JSON.stringify(seeds))
    await run('seed-suppliers', 'seeds.json')
    expect(listOpen()).toEqual([])

    const product = start('main')
    const exited = once(product, 'exit')
    await expect.poll(() => has(/^files\/drafts\/./), { timeout: 60_000 }).toBe(true)
    expect(has(/^app\.db-wal$/) && has(/^app\.db-shm$/) && has(/^secret$/)).toBe(true)
    expect(listOpen()).toEqual([])
    finishFile()
    const countFiles = () => [...listModes().keys()].filter((name) => name.endsWith('.csv')).length
    await expect.poll(countFiles, { timeout: 60_000 }).toBe(2)
    const backup = await run('backup')
    const [, folder = ''] = /^(\S+) is made and checked/m.exec(backup) ?? []
    expect(has(/^backups\/stockbridge-[^/]+\/files\/\w+\.csv$/)).toBe(true)
    expect(listOpen()).toEqual([])
    product.kill('SIGTERM')
    expect(await exited).toEqual([0, null])

    await run('restore', folder, '--replace')
    expect(has(/^replaced-[^/]+\/app\.db$/)).toBe(true)
    expect(listOpen()).toEqual([])
  })

  it('after the next start, when permissions were loosened', async () => {
    const names = [...listModes().keys()]
    for (const name of names) {
      const path = join(directory, 'data', name)
      chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
    }
    expect(listOpen()).toHaveLength(names.length)
    await run('migrate')
    expect(listOpen()).toEqual([])
  })
})
