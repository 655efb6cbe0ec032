import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { mapLimited } from '../concurrency/map-limited'
import { completeManifest, LIST_PREFIXES, type BackupContents } from './backup-manifest'
import type { BackupDraft, BackupStore, StoredBackup } from './backup-store'
import { readArchive as readArchiveParts } from './read-archive'

const VERIFIED_AT = '2026-02-01T00:00:00.000Z'
const TIMES = [7, 6, 5, 4, 3, 2, 1]
const DAILY = { kind: 'daily', readTimes: TIMES } as const
const LISTS_AT_ONCE = 32
const SIGNAL = new AbortController().signal
const measured = (content: string) => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  sizeBytes: Buffer.byteLength(content),
})
const put = (content: string) => (path: string) => writeFile(path, content, { mode: 0o600 })

type OpenStore = {
  store: BackupStore
  /** The same, as another process opens it. */
  other: BackupStore
  /** The names of all that is stored, in any order. */
  listStored(): Promise<string[]>
  /** Changes what is stored under names that end so, in the same length. */
  damage(end: string): Promise<void>
  close(): Promise<void>
}

/** Tests that every backup store passes. */
export function describeBackupStore(title: string, open: () => Promise<OpenStore>): void {
  describe(title, () => {
    let store: BackupStore
    let other: BackupStore
    let close: OpenStore['close']
    let listStored: () => Promise<string[]>
    let damage: OpenStore['damage']

    beforeEach(async () => {
      const opened = await open()
      ;({ store, other, damage, close } = opened)
      listStored = async () => (await opened.listStored()).toSorted()
    })
    afterEach(() => close())

    const toContents = (day: number, database: string, files: string[]): BackupContents => ({
      productVersion: '1.0.0',
      createdAt: `2026-01-${10 + day}T03:00:00.000Z`,
      migrations: ['0001-initial'],
      database: { ...measured(database), rowCounts: { users: 1 } },
      files: files.map(measured),
    })

    async function fill(draft: BackupDraft, database: string, files: string[]) {
      await writeFile(draft.databasePath, database)
      for (const file of files) await draft.addFile(measured(file), put(file))
    }

    async function publish(draft: BackupDraft, contents: BackupContents) {
      await draft.writeManifest(completeManifest(contents, VERIFIED_AT))
      return draft.publish(DAILY)
    }

    async function save(day: number, database = 'database', files: string[] = ['file']) {
      const draft = await store.createDraft('run')
      await fill(draft, database, files)
      return publish(draft, toContents(day, database, files))
    }

    /** A reader's mark is gone a moment after it has ended. */
    const listStoredAfterCleaning = async () => {
      await store.removeDrafts(async () => new Set())
      return listStored()
    }

    const readArchive = async (backup: StoredBackup | undefined) =>
      buffer((await backup?.openArchive())!)

    const names = async () => (await store.list()).map((backup) => backup.name)

    it('lists a backup only after it was published', async () => {
      const draft = await store.createDraft('run')
      await fill(draft, 'database', ['file'])
      expect(await store.list()).toEqual([])
      const { name } = await publish(draft, toContents(0, 'database', ['file']))
      expect(await names()).toEqual([name])
      expect((await store.find(name))?.manifest).toMatchObject({
        formatVersion: 1,
        verifiedAt: VERIFIED_AT,
        database: { ...measured('database'), rowCounts: { users: 1 } },
        files: [measured('file')],
      })
    })

    it('tells the backups made before an upgrade from others, whose manifests are the same', async () => {
      const draft = await store.createDraft('run')
      await fill(draft, 'database', ['file'])
      const manifest = completeManifest(toContents(2, 'database', ['file']), VERIFIED_AT)
      await draft.writeManifest(manifest)
      const { name, kind } = await draft.publish({ kind: 'upgrade', readTimes: TIMES })
      await save(1)
      expect(kind).toBe('upgrade')
      expect((await store.list()).map((backup) => backup.kind)).toEqual(['upgrade', 'daily'])
      expect(await store.find(name)).toMatchObject({ kind: 'upgrade', manifest })
      await store.delete(name)
      await save(2)
      expect((await store.find(name))?.kind).toBe('daily')
    })

    it('knows when the newest backup of each kind was begun', async () => {
      const read = () =>
        Promise.all([other.findNewestTime('daily'), other.findNewestTime('upgrade')])
      const timeOf = (day: number) => Date.parse(toContents(day, '', []).createdAt)
      const draft = await store.createDraft('run')
      await fill(draft, 'database', ['file'])
      const manifest = completeManifest(toContents(3, 'database', ['file']), VERIFIED_AT)
      await draft.writeManifest(manifest)
      expect(await read()).toEqual([null, null])
      await draft.publish({ kind: 'upgrade', readTimes: TIMES })
      await save(1)
      const { name } = await save(2)
      expect(await read()).toEqual([timeOf(2), timeOf(3)])
      await store.delete(name)
      expect(await read()).toEqual([timeOf(1), timeOf(3)])
    })

    it('returns the manifest of a draft as it was written', async () => {
      const draft = await store.createDraft('run')
      const manifest = completeManifest(toContents(1, '', []), VERIFIED_AT)
      expect(await draft.writeManifest(manifest)).toEqual(manifest)
      expect(await store.list()).toEqual([])
      await draft.discard()
    })

    it('does not publish a draft without a manifest', async () => {
      const draft = await store.createDraft('run')
      await fill(draft, 'database', ['file'])
      await expect(draft.publish(DAILY)).rejects.toThrow('The manifest cannot be read back')
      expect(await store.list()).toEqual([])
    })

    it('lists the newest backup first', async () => {
      const saved = [await save(1), await save(3), await save(2)].map((backup) => backup.name)
      expect(await names()).toEqual([saved[1], saved[2], saved[0]])
    })

    it('measures the files of a draft', async () => {
      const draft = await store.createDraft('run')
      await fill(draft, 'database', ['file'])
      expect(await draft.measureDatabase(SIGNAL)).toEqual(measured('database'))
      expect(await draft.measureFile(measured('file').sha256, SIGNAL)).toEqual(measured('file'))
      expect(await draft.measureFile(measured('other').sha256, SIGNAL)).toBeUndefined()
      await draft.discard()
    })

    it('stores a shared file once, and keeps it until the last backup with it is deleted', async () => {
      const first = await save(1)
      const draft = await store.createDraft('run')
      await draft.addFile(measured('file'), () => {
        throw new Error('It was copied again')
      })
      await publish(draft, toContents(2, '', ['file']))
      await store.delete(first.name)
      const [second] = await store.list()
      const archive = await readArchive(second)
      expect(archive.includes('file')).toBe(true)
    })

    it('tells whether a file is shared with the newest backup', async () => {
      await save(1, 'database', ['old', 'both'])
      await save(2, 'database', ['both'])
      const draft = await store.createDraft('run')
      const isShared = []
      for (const file of ['both', 'old', 'new']) {
        isShared.push(await draft.addFile(measured(file), put(file)))
      }
      expect(isShared).toEqual([true, false, false])
      await draft.discard()
    })

    it('does not share a file that has lost a part', async () => {
      await save(1, 'database', ['whol'])
      const draft = await store.createDraft('run')
      const whole = { ...measured('whol'), sizeBytes: 5 }
      expect(await draft.addFile(whole, put('whole'))).toBe(false)
      expect(await draft.measureFile(whole.sha256, SIGNAL)).toEqual(measured('whole'))
      await draft.discard()
      expect((await readArchive((await store.list())[0])).includes('whole')).toBe(false)
    })

    it('keeps the times at which files were read back for the next backup', async () => {
      const first = await store.createDraft('run')
      expect(first.newestReadTimes).toBeUndefined()
      await first.discard()
      const { name, readTimes } = await save(1)
      expect(readTimes).toEqual(TIMES)
      expect((await store.find(name))?.readTimes).toEqual(TIMES)
      const next = await other.createDraft('run')
      expect(next.newestReadTimes).toEqual(TIMES)
      await next.discard()
    })

    it('replaces a damaged file without changing the backup that shares it', async () => {
      const first = await save(1)
      const draft = await store.createDraft('run')
      await draft.addFile(measured('file'), put('never'))
      await draft.replaceFile(measured('file').sha256, put('replaced'))
      expect(await draft.measureFile(measured('file').sha256, SIGNAL)).toEqual(measured('replaced'))
      await draft.discard()
      const archive = await readArchive(first)
      expect(archive.includes('replaced')).toBe(false)
    })

    it('streams an archive of exactly the announced size', async () => {
      const backup = await save(1, 'd'.repeat(70_000), ['', 'x'.repeat(511), 'y'.repeat(512)])
      expect((await readArchive(backup)).byteLength).toBe(backup.archiveBytes)
    })

    it('fails to stream the archive of a backup whose files have changed', async () => {
      const draft = await store.createDraft('run')
      await fill(draft, 'database', [])
      const contents = toContents(1, 'database', [])
      await appendFile(draft.databasePath, ', grown')
      const backup = await publish(draft, contents)
      await expect(readArchive(backup)).rejects.toThrow('Size mismatch')
    })

    it('keeps a published backup when its draft is discarded afterwards', async () => {
      const draft = await store.createDraft('run')
      await fill(draft, 'database', [])
      const { name } = await publish(draft, toContents(1, 'database', []))
      await draft.discard()
      expect(await names()).toEqual([name])
    })

    it('streams a backup to its end when another process deletes it meanwhile, and removes it then', async () => {
      const content = 'x'.repeat(3 * 1024 * 1024)
      await save(1, 'database', ['file'])
      const before = await listStored()
      const backup = await save(2, content, ['file', content + 2])
      const archive = await backup.openArchive()
      const begun = await archive!.iterator({ destroyOnReturn: false }).next()
      await other.delete(backup.name)
      expect(await names()).toHaveLength(1)
      await other.removeDrafts(async () => new Set())
      const rest = await buffer(archive!)
      expect((begun.value as Buffer).byteLength + rest.byteLength).toBe(backup.archiveBytes)
      expect(rest.includes(content + 2)).toBe(true)
      await expect.poll(listStoredAfterCleaning).toEqual(before)
    })

    it('does not begin to stream a backup that has been deleted', async () => {
      const backup = await save(1)
      await store.delete(backup.name)
      expect(await backup.openArchive()).toBeUndefined()
    })

    it('removes a deleted backup whose reader has gone away', async () => {
      const before = await listStored()
      const backup = await save(1, 'x'.repeat(3 * 1024 * 1024))
      const archive = await backup.openArchive()
      await store.delete(backup.name)
      archive!.destroy()
      await expect.poll(listStoredAfterCleaning).toEqual(before)
    })

    it('deletes a backup', async () => {
      const { name } = await save(1)
      await store.delete(name)
      expect(await store.find(name)).toBeUndefined()
      expect(await store.list()).toEqual([])
    })

    it.each(['', '.', '..', 'drafts', '../app', 'stockbridge-2026-01-11T03-00-00-000Z/../drafts'])(
      'finds no backup named %j',
      async (name) => {
        await save(1)
        expect(await store.find(name)).toBeUndefined()
      },
    )

    it('removes the drafts of dead runs and keeps those of live ones', async () => {
      await fill(await store.createDraft('dead'), 'database', ['file'])
      const alive = await store.createDraft('alive')
      await fill(alive, 'database', [])
      expect(await store.removeDrafts(async () => new Set(['alive']))).toBe(1)
      await publish(alive, toContents(1, 'database', []))
      expect(await store.list()).toHaveLength(1)
    })

    it('keeps the draft of a run that begins while drafts are being removed', async () => {
      let draft: BackupDraft | undefined
      await store.removeDrafts(async () => {
        draft = await store.createDraft('new')
        return new Set()
      })
      await publish(draft!, toContents(1, '', []))
      expect(await store.list()).toHaveLength(1)
    })

    it('does not publish a draft that was removed because its run seemed dead', async () => {
      const draft = await store.createDraft('paused')
      await fill(draft, 'database', ['file'])
      await store.removeDrafts(async () => new Set())
      await expect(publish(draft, toContents(1, 'database', ['file']))).rejects.toThrow('ENOENT')
      expect(await store.list()).toEqual([])
    })

    describe('of many files', () => {
      /** Publishes a backup with its files in lists. */
      async function saveLists(day: number, files: string[], owner = 'run') {
        const draft = await store.createDraft(owner)
        const fileLists = await fillLists(draft, files)
        return publish(draft, { ...toContents(day, 'database', []), fileLists })
      }

      async function fillLists(draft: BackupDraft, files: string[]) {
        await writeFile(draft.databasePath, 'database')
        return mapLimited(LIST_PREFIXES, LISTS_AT_ONCE, async (prefix) => {
          const list = await draft.openList(prefix)
          const own = inOrder(files).filter(({ sha256 }) => sha256.startsWith(prefix))
          for (const { text, ...file } of own) await list.addFile(file, put(text))
          return list.write(own.map(({ text }) => measured(text)))
        })
      }

      const inOrder = (files: string[]) =>
        files
          .map((text) => ({ ...measured(text), text }))
          .toSorted((one, next) => (one.sha256 < next.sha256 ? -1 : 1))
      const hashesOf = (files: string[]) => inOrder(files).map(({ sha256 }) => sha256)
      const partNames = async (backup: StoredBackup | undefined) => {
        const path = join(await mkdtemp(join(tmpdir(), 'stockbridge-archive-')), 'backup.tar')
        await writeFile(path, await readArchive(backup))
        const found: string[] = []
        for await (const { name } of readArchiveParts(path)) found.push(name)
        await rm(dirname(path), { recursive: true })
        return found
      }

      it('lists the files, and streams them after their lists in an archive of the announced size', async () => {
        const files = ['one', 'other', 'third', 'x'.repeat(2_000)]
        const backup = await saveLists(1, files)
        const listed = []
        for await (const file of backup.listFiles()) listed.push(file)
        expect(listed).toEqual(inOrder(files).map(({ text }) => measured(text)))
        expect((await readArchive(backup)).byteLength).toBe(backup.archiveBytes)
        const expected = LIST_PREFIXES.flatMap((prefix) => [
          `lists/${prefix}.json`,
          ...hashesOf(files)
            .filter((hash) => hash.startsWith(prefix))
            .map((hash) => `files/${hash}.csv`),
        ])
        expect(await partNames(backup)).toEqual(['manifest.json', 'app.db', ...expected])
        expect(await partNames((await other.list())[0])).toHaveLength(expected.length + 2)
      })

      it('is told from others by the next draft', async () => {
        const hasLists = async () => {
          const draft = await other.createDraft('run')
          await draft.discard()
          return draft.newestHasLists
        }
        const found = [await hasLists()]
        await saveLists(1, ['file'])
        found.push(await hasLists())
        await save(2)
        found.push(await hasLists())
        expect(found).toEqual([false, true, false])
      })

      it('leaves nothing of a draft that is discarded, and what backups have', async () => {
        const backup = await saveLists(1, ['file'])
        const before = await listStored()
        const draft = await store.createDraft('run')
        await fillLists(draft, ['file', 'other'])
        await draft.discard()
        expect(await listStored()).toEqual(before)
        expect((await readArchive(backup)).byteLength).toBe(backup.archiveBytes)
      })

      it('shares those of the newest backup, and says so', async () => {
        await saveLists(1, ['old', 'both'])
        const draft = await store.createDraft('run')
        const add = async (text: string, copy = put(text)) => {
          const list = await draft.openList(measured(text).sha256.slice(0, 2))
          const isShared = await list.addFile(measured(text), copy)
          return [isShared, await list.measureFile(measured(text).sha256, SIGNAL)]
        }
        const never = () => Promise.reject(new Error('It was copied again'))
        expect(await add('both', never)).toEqual([true, measured('both')])
        expect(await add('new')).toEqual([false, measured('new')])
        await draft.discard()
      })

      it('replaces a damaged file without changing the backup that shares it', async () => {
        const first = await saveLists(1, ['file'])
        const { sha256 } = measured('file')
        const draft = await store.createDraft('run')
        const list = await draft.openList(sha256.slice(0, 2))
        await list.addFile(measured('file'), put('never'))
        await list.replaceFile(sha256, put('replaced'))
        expect(await list.measureFile(sha256, SIGNAL)).toEqual(measured('replaced'))
        await draft.discard()
        expect((await readArchive(first)).includes('replaced')).toBe(false)
      })

      it('keeps a shared file until the last backup with it is deleted, and nothing then', async () => {
        const before = await listStored()
        const first = await saveLists(1, ['file', 'first'])
        const second = await saveLists(2, ['file', 'second'])
        await store.delete(first.name)
        const archive = await readArchive(second)
        expect(['file', 'second'].every((text) => archive.includes(text))).toBe(true)
        await store.delete(second.name)
        await expect.poll(listStoredAfterCleaning).toEqual(before)
      })

      it('is streamed to its end when another process deletes it meanwhile', async () => {
        const backup = await saveLists(1, ['file', 'y'.repeat(3_000)])
        const archive = await backup.openArchive()
        await other.delete(backup.name)
        await other.removeDrafts(async () => new Set())
        expect((await buffer(archive!)).byteLength).toBe(backup.archiveBytes)
      })

      it('is not streamed as if it had fewer files when one of its lists has changed', async () => {
        const backup = await saveLists(1, ['file'])
        const prefix = measured('file').sha256.slice(0, 2)
        await damage(`lists/${prefix}.json`)
        await expect(readArchive(backup)).rejects.toThrow(/damaged|Size mismatch/)
      })

      it('removes what dead runs have put, and keeps that of live ones and of backups', async () => {
        const before = await listStored()
        await fillLists(await store.createDraft('dead'), ['of the dead'])
        const alive = await store.createDraft('alive')
        const fileLists = await fillLists(alive, ['of the living'])
        const backup = await saveLists(1, ['published'])
        expect(await other.removeDrafts(async () => new Set(['alive']))).toBe(1)
        const second = await publish(alive, { ...toContents(2, 'database', []), fileLists })
        expect((await readArchive(second)).includes('of the living')).toBe(true)
        expect((await readArchive(backup)).includes('published')).toBe(true)
        await store.delete(backup.name)
        await store.delete(second.name)
        await expect.poll(listStoredAfterCleaning).toEqual(before)
      })
    })

    it('makes the database readable by its owner only', async () => {
      const draft = await store.createDraft('run')
      expect((await stat(draft.databasePath)).mode & 0o777).toBe(0o600)
    })
  })
}
