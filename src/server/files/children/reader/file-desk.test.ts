import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { contentOf } from '../../../testing/stages/fetching'
import { sha256 } from '../../../testing/stages/reader-stage'
import type { SourceContent } from '../../sources/source'
import { createFileDesk, DeskRefusal, type FileDesk } from './file-desk'
import { type FileRequest, HEAD_BYTES } from './messages'

let folder: string
let desk: FileDesk
const path = (name: string) => join(folder, name)
const ask = (request: FileRequest, text = '') =>
  desk.answer(request, text === '' ? [] : [Buffer.from(text)])

const open = (content?: SourceContent, filled?: string) =>
  createFileDesk({ reads: [path('stored')], writes: [path('draft')] }, content, filled)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-desk-'))
  await writeFile(path('stored'), 'sku\r\n1\r\n')
  await writeFile(path('other'), 'of another supplier')
  desk = open()
})
afterEach(async () => {
  await desk.close()
  await rm(folder, { recursive: true })
})

describe('the files of a task', () => {
  it('come whole with the answer to their opening, and stay closed', async () => {
    const { value, bytes } = await ask({ kind: 'open', path: path('stored') })
    expect([value, bytes?.join('')]).toEqual([{}, 'sku\r\n1\r\n'])
    const read = { kind: 'read', file: 1, position: 0, length: 1 } as const
    await expect(ask(read)).rejects.toThrow(DeskRefusal)
  })

  it('are read anywhere if they are large, of which only the beginning comes at once', async () => {
    await writeFile(path('stored'), 'a'.repeat(HEAD_BYTES) + 'bc')
    const { value, bytes } = await ask({ kind: 'open', path: path('stored') })
    expect(bytes?.join('')).toBe('a'.repeat(HEAD_BYTES))
    const read = { kind: 'read', file: value.file!, position: HEAD_BYTES - 1, length: 100 } as const
    expect((await ask(read)).bytes?.join('')).toBe('abc')
    await ask({ kind: 'close', file: value.file! })
    await expect(ask(read)).rejects.toThrow(DeskRefusal)
  })

  it.each(['other', 'draft', '../etc/passwd', 'stored/../other'])(
    'are no others: %s cannot be opened',
    async (name) => {
      await expect(ask({ kind: 'open', path: `${folder}/${name}` })).rejects.toThrow(DeskRefusal)
    },
  )

  it.each(['other', 'stored', 'draft-../../x', 'draft-KEYS', 'draft/x', 'drafts'])(
    'are no others: %s cannot be written',
    async (name) => {
      for (const kind of ['write', 'finish', 'discard'] as const) {
        const work = ask({ kind, path: `${folder}/${name}` }, kind === 'discard' ? '' : 'x')
        await expect(work).rejects.toThrow(DeskRefusal)
      }
      expect(await readdir(folder)).toEqual(['other', 'stored'])
      expect(await readFile(path('other'), 'utf8')).toBe('of another supplier')
    },
  )

  it('include scratch files that are named after a draft', async () => {
    await ask({ kind: 'write', path: path('draft-keys1') }, 'a'.repeat(300 * 1024))
    expect(await readdir(folder)).toEqual(['draft-keys1', 'other', 'stored'])
    await ask({ kind: 'discard', path: path('draft-keys1') })
    expect(await readdir(folder)).toEqual(['other', 'stored'])
  })

  it('are written, and hashed here', async () => {
    await ask({ kind: 'write', path: path('draft') }, 'one ')
    const { value } = await ask({ kind: 'finish', path: path('draft') }, 'two')
    const content = { sha256: sha256('one two'), sizeBytes: 7 }
    expect(value).toEqual({ content })
    expect(desk.finished(path('draft'))).toEqual(content)
    expect(await readFile(path('draft'), 'utf8')).toBe('one two')
  })

  it('are read again while they are written, and afterwards', async () => {
    const openDraft = async () => (await ask({ kind: 'open', path: path('draft') })).bytes?.join('')
    await ask({ kind: 'write', path: path('draft') }, 'one ')
    expect(await openDraft()).toBe('one ')
    await ask({ kind: 'finish', path: path('draft') }, 'two')
    expect(await openDraft()).toBe('one two')
  })

  it('are not what is written over them after they were finished', async () => {
    await ask({ kind: 'finish', path: path('draft') }, 'one')
    await ask({ kind: 'write', path: path('draft') }, 'two')
    expect(desk.finished(path('draft'))).toBeUndefined()
  })

  it('are removed unless they have been finished', async () => {
    await ask({ kind: 'write', path: path('draft') }, 'one')
    await ask({ kind: 'finish', path: path('draft-keys1') })
    await desk.close()
    expect(await readdir(folder)).toEqual(['draft-keys1', 'other', 'stored'])
    expect(desk.finished(path('draft'))).toBeUndefined()
  })

  it('are on the disk as they were written if they are large', async () => {
    const pieces = ['a', 'b', 'c'].map((letter) => letter.repeat(200 * 1024))
    for (const piece of pieces) await ask({ kind: 'write', path: path('draft') }, piece)
    await ask({ kind: 'finish', path: path('draft') }, 'end')
    const text = [...pieces, 'end'].join('')
    expect(desk.finished(path('draft'))?.sha256).toBe(sha256(text))
    expect(await readFile(path('draft'), 'utf8')).toBe(text)
  })

  it('are a few at a time', async () => {
    await writeFile(path('stored'), 'a'.repeat(HEAD_BYTES))
    const requests = Array.from({ length: 65 }, () => ask({ kind: 'open', path: path('stored') }))
    const results = await Promise.allSettled(requests)
    expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: expect.any(DeskRefusal) })
  })
})

describe('a source', () => {
  it('is stored as it is read, whatever the reader says', async () => {
    desk = open(contentOf(['sku\r\n', '1\r\n'].map((piece) => Buffer.from(piece))), path('draft'))
    expect((await ask({ kind: 'body' })).bytes?.join('')).toBe('sku\r\n')
    for (const kind of ['write', 'finish'] as const) {
      const work = ask({ kind, path: path('draft') }, 'of its own')
      await expect(work).rejects.toThrow(DeskRefusal)
    }
    await ask({ kind: 'body' })
    expect((await ask({ kind: 'body' })).value).toEqual({ isEnd: true })
    await ask({ kind: 'finish', path: path('draft') })
    expect(await readFile(path('draft'), 'utf8')).toBe('sku\r\n1\r\n')
  })

  it('is none for a task without one', async () => {
    await expect(ask({ kind: 'body' })).rejects.toThrow(DeskRefusal)
  })
})
