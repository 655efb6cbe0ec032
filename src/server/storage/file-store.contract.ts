import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { storeContent, writeContent } from '../testing/fixtures/stored-files'
import type { FileStore } from './file-store'

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

/** Pipes the stream to its end, copying its chunks as a response does. */
async function receive(stream: Readable): Promise<string> {
  let received = ''
  const response = new Writable({
    write: (chunk: Buffer, _encoding, done) => done(void (received += chunk.toString())),
  })
  await finished(stream.pipe(response))
  return received
}

/** Tests that every file store passes. */
export function describeFileStore(
  name: string,
  open: () => Promise<{ store: FileStore; close(): Promise<void> }>,
): void {
  describe(name, () => {
    let store: FileStore
    let close: () => Promise<void>

    beforeEach(async () => {
      ;({ store, close } = await open())
    })
    afterEach(() => close())

    const save = (content: string) => storeContent(store, content, 'run')

    async function saveMany(count: number): Promise<string[]> {
      const hashes: string[] = []
      for (let number = 0; number < count; number += 1) {
        hashes.push((await save(`file ${number}`)).sha256)
      }
      return hashes
    }

    async function listed() {
      const hashes: string[] = []
      for await (const file of store.list()) hashes.push(file.sha256)
      return hashes
    }

    it('stores a file under the hash of its content', async () => {
      const file = await save('a,b\n1,2\n')
      expect(file).toEqual({ sha256: sha256('a,b\n1,2\n'), sizeBytes: 8 })
      expect(await text(await store.read(file.sha256))).toBe('a,b\n1,2\n')
    })

    it('fills a scratch file, and leaves nothing of a body that breaks off', async () => {
      const draft = store.createDraft('run')
      async function* body(breaksOff: boolean) {
        yield Buffer.from('a,b\n')
        if (breaksOff) throw new Error('The line is dead')
        yield Buffer.from('1,2\n')
      }
      await expect(draft.fill(body(true))).rejects.toThrow('The line is dead')
      expect(await store.removeDrafts(async () => new Set())).toBe(0)
      const content = await draft.fill(body(false))
      expect(content).toEqual({ sha256: sha256('a,b\n1,2\n'), sizeBytes: 8 })
      await draft.commit(content)
      expect(await text(await store.read(content.sha256))).toBe('a,b\n1,2\n')
    })

    it('does not list a file until it is committed', async () => {
      const draft = store.createDraft('run')
      await writeContent(draft.path, 'half')
      expect(await store.has(sha256('half'))).toBe(false)
      expect(await listed()).toEqual([])
      await draft.discard()
    })

    it('stores two files with the same content once', async () => {
      await save('same')
      await save('same')
      expect(await listed()).toEqual([sha256('same')])
    })

    it('sends a file, or a range of it', async () => {
      const file = await save('0123456789')
      expect(await receive(await store.openToSend(file.sha256))).toBe('0123456789')
      expect(await receive(await store.openToSend(file.sha256, { start: 2, end: 4 }))).toBe('234')
    })

    it('reads some bytes of a file, as far as it has them', async () => {
      const { sha256: hash } = await save('0123456789')
      expect(String(await store.readRange(hash, { start: 2, end: 4 }))).toBe('234')
      expect(String(await store.readRange(hash, { start: 8, end: 99 }))).toBe('89')
      const none = store.readRange(sha256('none'), { start: 0, end: 1 })
      await expect(none).rejects.toMatchObject({ code: 'ENOENT' })
    })

    it('sends a draft, until it is discarded', async () => {
      const draft = store.createDraft('run')
      await writeContent(draft.path, 'a draft')
      expect(await receive(await draft.openToSend())).toBe('a draft')
      await draft.discard()
      await expect(draft.openToSend()).rejects.toThrow('ENOENT')
    })

    it('copies a file so that changes of the copy do not affect the store', async () => {
      const file = await save('original')
      const directory = await mkdtemp(join(tmpdir(), 'stockbridge-copies-'))
      const path = join(directory, 'copy')
      await store.copyTo(file.sha256, path)
      await appendFile(path, ', changed')
      expect(await readFile(path, 'utf8')).toBe('original, changed')
      expect(await text(await store.read(file.sha256))).toBe('original')
      await rm(directory, { recursive: true })
    })

    it('rejects when a file that does not exist is read', async () => {
      await expect(store.read(sha256('nothing'))).rejects.toThrow('ENOENT')
    })

    it('keeps a committed file when its draft is discarded afterwards', async () => {
      const draft = store.createDraft('run')
      const file = await writeContent(draft.path, 'kept')
      await draft.commit(file)
      await draft.discard()
      expect(await store.has(file.sha256)).toBe(true)
    })

    it('refuses to commit a draft whose size differs from the given one', async () => {
      const draft = store.createDraft('run')
      const file = await writeContent(draft.path, 'short')
      await expect(draft.commit({ ...file, sizeBytes: 6 })).rejects.toThrow('unexpected size')
      expect(await listed()).toEqual([])
    })

    it('never replaces a stored file with a draft that claims its hash', async () => {
      const file = await save('the first one')
      const draft = store.createDraft('run')
      await writeContent(draft.path, 'a second one')
      await expect(draft.commit({ ...file, sizeBytes: 12 })).rejects.toThrow('same hash')
      expect(await text(await store.read(file.sha256))).toBe('the first one')
    })

    it('returns the path of a stored file, and rejects for one that does not exist', async () => {
      const file = await save('here')
      expect(await readFile(await store.locate(file.sha256), 'utf8')).toBe('here')
      await expect(store.locate(sha256('nowhere'))).rejects.toThrow('ENOENT')
    })

    it('lists files by the first digits of their hashes, beginning with some', async () => {
      const all = (await saveMany(100)).toSorted()
      const from = all[60]!.slice(0, 2)
      const hashes: string[] = []
      for await (const { sha256: hash } of store.list(from)) hashes.push(hash)
      const folders = hashes.map((hash) => hash.slice(0, 2))
      const later = folders.filter((folder) => folder >= from)
      expect(later[0]).toBe(from)
      const before = folders.filter((folder) => folder < from)
      expect(folders).toEqual([...later.toSorted(), ...before.toSorted()])
      expect(hashes.toSorted()).toEqual(all)
    })

    it('deletes files, and says so of those that are gone already', async () => {
      const old = await saveMany(100)
      const kept = await save('kept')
      const asked = [...old, sha256('nothing')]
      expect(new Set(await store.delete(asked, Infinity))).toEqual(new Set(asked))
      expect(await listed()).toEqual([kept.sha256])
      expect(await text(await store.read(kept.sha256))).toBe('kept')
    })

    it('leaves a file that was stored at an instant or later, also one that was stored again', async () => {
      const [other, file] = [await save('other'), await save('again')]
      const storedAt = async () => {
        for await (const each of store.list()) if (each.sha256 === file.sha256) return each.storedAt
        throw new Error('It is gone')
      }
      const first = await storedAt()
      // Some servers tell it to the second only.
      const later = first + 1_000
      expect(await store.delete([file.sha256], first - 1_000)).toEqual([])
      await expect
        .poll(async () => (await save('again')) && (await storedAt()))
        .toBeGreaterThanOrEqual(later + 1_000)
      expect(await store.delete([file.sha256, other.sha256], later)).toEqual([other.sha256])
      expect(await listed()).toEqual([file.sha256])
    })

    it('measures the free and the total space', async () => {
      const { freeBytes, totalBytes } = await store.measureSpace()
      expect(freeBytes).toBeGreaterThan(0)
      expect(totalBytes).toBeGreaterThanOrEqual(freeBytes)
    })

    it('removes the drafts of dead runs and keeps those of live ones', async () => {
      await writeContent(store.createDraft('dead').path, 'x')
      const alive = store.createDraft('alive')
      const kept = await writeContent(alive.path, 'kept')
      expect(await store.removeDrafts(async () => new Set(['alive']))).toBe(1)
      await alive.commit(kept)
      expect(await store.has(sha256('kept'))).toBe(true)
    })

    it('keeps the draft of a run that begins while drafts are being removed', async () => {
      const draft = store.createDraft('new')
      await store.removeDrafts(async () => {
        await writeContent(draft.path, 'new')
        return new Set()
      })
      await draft.commit({ sha256: sha256('new'), sizeBytes: 3 })
      expect(await store.has(sha256('new'))).toBe(true)
    })
  })
}
