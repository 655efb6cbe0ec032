import { createHash } from 'node:crypto'
import { appendFile, cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { LIST_PREFIXES, parseFileList } from '../storage/backup-manifest'
import { describeFileList } from '../storage/backup-parts'
import type { StoredFile } from '../storage/file-store'
import { openDiskFileStore } from '../storage/file-store-disk'
import {
  editManifest,
  makeSampleBackup,
  makeTarget,
  refusal,
  repack,
  restore,
  type ArchiveEntry,
  type SampleBackup,
} from '../testing/fixtures/backups'
import { makeListedBackup } from '../testing/fixtures/stock'

const FILES = ['sku,qty\r\n1,5\r\n', 'sku,qty\r\n2,7\r\n']
const HASHES = FILES.map((text) => createHash('sha256').update(text).digest('hex')).toSorted()

let backup: SampleBackup
let target: Awaited<ReturnType<typeof makeTarget>>
/** Copies that the tests damage. */
let archive: string
let folder: string

beforeAll(async () => {
  backup = await makeSampleBackup(undefined, makeListedBackup)
})
afterAll(() => backup.remove())
beforeEach(async () => {
  target = await makeTarget()
  archive = `${backup.archive}.changed`
  folder = `${backup.folder}.changed`
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await target.remove()
})

/** A copy that has hundreds of files. */
const copyFolder = () => cp(backup.folder, folder, { recursive: true })

/** Changes the list that has the first file, so that the manifest says the same. */
function changeList(change: (files: StoredFile[]) => StoredFile[]) {
  const prefix = HASHES[0]!.slice(0, 2)
  const name = `lists/${prefix}.json`
  return (parts: ArchiveEntry[]) => {
    const found = parts.find((part) => part.name === name)!
    const { text, list } = describeFileList(
      change(parseFileList(found.content.toString(), prefix)!),
    )
    found.content = Buffer.from(text)
    return editManifest((manifest) => ({
      ...manifest,
      fileLists: manifest.fileLists!.with(LIST_PREFIXES.indexOf(prefix), list),
    }))(parts)
  }
}

describe('a backup of many files', () => {
  it.each([
    ['an archive', () => backup.archive],
    ['its folder', () => backup.folder],
  ])('is restored from %s with all that it has', async (_what, file) => {
    const lines = await restore(target.config, file())
    expect(lines.at(-1)).toBe(`${backup.name} is restored. Everybody has to sign in again.`)
    expect((await readdir(target.config.dataDir)).toSorted()).toEqual(['app.db', 'files'])
    const files: string[] = []
    const store = await openDiskFileStore(target.config.filesDir)
    for await (const { sha256 } of store.list()) files.push(sha256)
    expect(files.toSorted()).toEqual(HASHES)
  })

  it('has its files in lists, which its signature covers', async () => {
    const manifest = JSON.parse(await readFile(join(backup.folder, 'manifest.json'), 'utf8'))
    expect(manifest.files).toEqual([])
    expect(manifest.fileLists).toHaveLength(256)
    const twice = changeList((files) => [...files, ...files])
    await repack(backup.archive, archive, twice)
    await expect(restore(target.config, archive)).rejects.toThrow(
      'it was changed after it was made',
    )
    const same = changeList((files) => files)
    await repack(backup.archive, archive, same)
    await restore(target.config, archive)
  })

  it('is refused when a list is missing', async () => {
    await copyFolder()
    await rm(join(folder, 'lists', '7f.json'))
    expect(await refusal(folder)).toMatch(/lists\/7f\.json is missing/)
  })

  it('is refused when a list is longer', async () => {
    await copyFolder()
    await appendFile(join(folder, 'lists', '7f.json'), ' ')
    expect(await refusal(folder)).toMatch(/lists\/7f\.json is missing or has another size/)
  })

  it('is refused when a byte of a list has changed', async () => {
    await repack(backup.archive, archive, (parts) => {
      const list = parts.find(({ name }) => name === `lists/${HASHES[0]!.slice(0, 2)}.json`)!
      list.content.write('{"sha255"', list.content.indexOf('{'))
      return parts
    })
    expect(await refusal(archive)).toMatch(
      /^This backup cannot be used: lists\/\w\w\.json was changed$/,
    )
  })

  it('is refused when a file is missing', async () => {
    await copyFolder()
    await rm(join(folder, 'files', `${HASHES[0]}.csv`))
    expect(await refusal(folder)).toMatch(`files/${HASHES[0]}.csv is missing`)
  })

  it('is refused when a list lacks a file that the database names', async () => {
    const edit = changeList((files) => files.filter(({ sha256 }) => sha256 !== HASHES[0]))
    await repack(backup.archive, archive, (parts) =>
      edit(parts).filter(({ name }) => !name.includes(HASHES[0]!)),
    )
    expect(await refusal(archive)).toBe(
      `The backup is damaged: the inventory file ${HASHES[0]} is missing`,
    )
  })

  it('is refused when a list has a file of another one', async () => {
    const foreign = { sha256: (HASHES[0]!.startsWith('0') ? 'f' : '0').repeat(64), sizeBytes: 1 }
    await repack(
      backup.archive,
      archive,
      changeList((files) => [...files, foreign]),
    )
    expect(await refusal(archive)).toMatch(/lists\/\w\w\.json was changed|bytes instead of/)
  })

  it('is refused when the manifest has files besides', async () => {
    const files = [{ sha256: '0'.repeat(64), sizeBytes: 1 }]
    const edit = editManifest((manifest) => ({ ...manifest, files }))
    await repack(backup.archive, archive, edit)
    expect(await refusal(archive)).toMatch(/it has no manifest/)
  })

  it('is refused when the manifest has fewer lists', async () => {
    const edit = editManifest((manifest) => ({
      ...manifest,
      fileLists: manifest.fileLists!.slice(1),
    }))
    await repack(backup.archive, archive, edit)
    expect(await refusal(archive)).toMatch(/it has no manifest/)
  })
})
