import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../config'
import { prepareDataFolders } from './data-folder'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

async function prepare(environment: Record<string, string>): Promise<string[]> {
  const warnings: string[] = []
  await prepareDataFolders(readConfig(environment), (line) => void warnings.push(line))
  return warnings
}

/** Makes a file or a folder that everybody may read and write. */
async function makeOpen(path: string, isFolder = false): Promise<void> {
  if (isFolder) mkdirSync(path, { recursive: true })
  else await writeFile(path, 'x')
  chmodSync(path, isFolder ? 0o777 : 0o666)
}

describe('the data folder', () => {
  it('is created with access for its owner only', async () => {
    const path = join(directory, 'new/data')
    expect(await prepare({ DATA_DIR: path })).toEqual([])
    expect(modeOf(path)).toBe('700')
  })

  it('is reported with the variable to change when it cannot be created', async () => {
    await writeFile(join(directory, 'file'), '')
    await expect(prepare({ DATA_DIR: join(directory, 'file/data') })).rejects.toThrow(
      /^DATA_DIR: .*file\/data cannot be written \(ENOTDIR\)/,
    )
  })
})

describe('data that other users could read', () => {
  const FILES = ['app.db', 'app.db-wal', 'app.db-shm', 'secret', 'encryption-key']
  const FOLDERS = ['files/ab', 'files/drafts', 'backups/stockbridge-1/files', 'backups/drafts']
  const LEFT = ['replaced-2026-01-15T08-30-00-000Z/files/cd', 'restore.tmp']
  const ALL = [...FOLDERS, ...LEFT].flatMap((folder) =>
    folder.split('/').map((_, index, names) => names.slice(0, index + 1).join('/')),
  )

  it('is accessible to its owner only after a start', async () => {
    for (const folder of ALL) await makeOpen(join(directory, folder), true)
    const files = [...FILES, ...ALL.map((folder) => `${folder}/file`)]
    for (const file of files) await makeOpen(join(directory, file))
    chmodSync(directory, 0o755)
    expect(await prepare({ DATA_DIR: directory })).toEqual([])
    expect(modeOf(directory)).toBe('700')
    const modes = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => {
      const stats = lstatSync(join(directory, name))
      return [name, stats.isDirectory(), (stats.mode & 0o777).toString(8)]
    })
    expect(modes.length).toBeGreaterThan(files.length)
    expect(modes).toEqual(
      modes.map(([name, isFolder]) => [name, isFolder, isFolder ? '700' : '600']),
    )
  })

  it('is made private in a separate database folder without touching other files there', async () => {
    const shared = join(directory, 'shared')
    await makeOpen(shared, true)
    const database = join(shared, 'stock.db')
    const others = ['files', 'secret', 'app.db'].map((name) => join(shared, name))
    for (const path of [database, `${database}-wal`, ...others]) await makeOpen(path)
    await prepare({ DATA_DIR: join(directory, 'data'), DATABASE_URL: `sqlite:${database}` })
    expect([database, `${database}-wal`].map(modeOf)).toEqual(['600', '600'])
    expect([shared, ...others].map(modeOf)).toEqual(['777', '666', '666', '666'])
  })

  it('is made private without touching unrelated files and targets of symbolic links', async () => {
    const [data, elsewhere] = [join(directory, 'data'), join(directory, 'elsewhere')]
    await makeOpen(join(data, 'files'), true)
    await makeOpen(elsewhere, true)
    await makeOpen(join(elsewhere, 'file'))
    await makeOpen(join(data, 'notes.txt'))
    symlinkSync(elsewhere, join(data, 'files/link'))
    symlinkSync(join(elsewhere, 'file'), join(data, 'files/file'))
    await prepare({ DATA_DIR: data })
    const kept = [elsewhere, join(elsewhere, 'file'), join(data, 'notes.txt')]
    expect(kept.map(modeOf)).toEqual(['777', '666', '666'])
    expect(modeOf(join(data, 'files'))).toBe('700')
  })

  it.runIf(process.platform === 'linux')('is reported when it cannot be made private', async () => {
    symlinkSync('/proc/self/status', join(directory, 'secret'))
    expect(await prepare({ DATA_DIR: directory })).toEqual([
      `Other users of this machine may read ${directory}/secret: the mode cannot be changed`,
    ])
  })

  it('is made private inside a folder with the sticky bit, which keeps its mode', async () => {
    chmodSync(directory, 0o1777)
    await makeOpen(join(directory, 'app.db'))
    await prepare({ DATA_DIR: directory })
    expect([modeOf(directory), modeOf(join(directory, 'app.db'))]).toEqual(['1777', '600'])
  })
})
