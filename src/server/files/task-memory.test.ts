import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../shared/automatic-reading'
import { createRandom, inChunks } from '../testing/fixtures/file-fixtures'
import { contentOf } from '../testing/stages/fetching'
import { hostileFiles } from '../testing/suites/hostile/hostile-files'
import { FileError } from './file-error'
import { localFiles } from './task-files'
import {
  forgetTaskMemory,
  freeTaskMemory,
  giveBack,
  keepTaskMemory,
  takeBuffer,
  takeNumbers,
} from './task-memory'
import { runTask } from './tasks/tasks'

const { signal } = new AbortController()
const MB = 1024 * 1024

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-memory-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What an ingest reports, with the hashes of what it writes; or why it refuses the file. */
async function read(bytes: Buffer): Promise<unknown> {
  const path = (name: string) => join(folder, name)
  const task = {
    drafts: {
      source: path('source'),
      table: path('table'),
      rewritten: path('rewritten'),
      keys: path('keys'),
      keyRuns: path('runs'),
      gone: path('gone'),
    },
    keys: { roles: { ...AUTOMATIC_ROLES, sku: 'sku' }, stockTexts: [] },
    categoryReading: null,
    reading: AUTOMATIC_READING,
    previousEncoding: null,
  }
  const content = contentOf(inChunks(bytes))
  const context = { files: localFiles, content, maxBytes: 100 * MB, signal }
  try {
    return await runTask('ingest', task, context)
  } catch (error) {
    if (error instanceof FileError) return `${error.code}: ${error.message}`
    throw error
  }
}

/** Tables of any size and dialect. */
function randomTable(seed: number): Buffer {
  const { below, pick } = createRandom(seed)
  const delimiter = pick([',', ';', '\t', '|'])
  const row = (index: number) =>
    [
      `SKU-${below(9_999)}-${index}`,
      `"Größe ${below(50)}"`,
      below(99),
      `Shoes > ${below(40)}`,
    ].join(delimiter)
  const rows = Array.from({ length: below(5_000) }, (_, index) => row(index))
  return Buffer.from([['sku', 'name', 'qty', 'category'].join(delimiter), ...rows, ''].join('\n'))
}

it('gives the same results to tasks that follow each other as to the first', async () => {
  const files = [
    ...hostileFiles.map((file) => file.bytes()).filter(({ length }) => length < 64 * 1024),
    ...Array.from({ length: 6 }, (_, seed) => randomTable(seed)),
  ]
  const expected = []
  for (const file of files) expected.push(await read(file))
  const keepNoMore = keepTaskMemory()
  const { below } = createRandom(1)
  for (let turn = 0; turn < files.length; turn++) {
    const index = below(files.length)
    const found = await read(files[index]!)
    freeTaskMemory()
    expect(found).toEqual(expected[index])
  }
  keepNoMore()
})

it('is given to the next task as it is', () => {
  const keepNoMore = keepTaskMemory()
  const first = takeBuffer(100_000)
  const second = takeBuffer(100_000)
  for (const buffer of [first, second]) buffer.fill(7)
  expect(second.buffer).not.toBe(first.buffer)
  freeTaskMemory()
  const again = takeNumbers(Uint32Array, 20_000)
  expect([first.buffer, second.buffer]).toContain(again.buffer)
  expect(again.length).toBe(20_000)
  expect(again.every((number) => number === 0x07_07_07_07)).toBe(true)
  forgetTaskMemory()
  const other = takeNumbers(Uint32Array, 20_000)
  expect(other.buffer).not.toBe(again.buffer)
  keepNoMore()
})

it('is taken again by the same task once it has been given back', () => {
  const keepNoMore = keepTaskMemory()
  const [first, second] = [takeBuffer(100_000), takeBuffer(100_000)]
  giveBack(first)
  giveBack(first)
  expect(takeNumbers(Uint32Array, 20_000).buffer).toBe(first.buffer)
  expect([first.buffer, second.buffer]).not.toContain(takeBuffer(100_000).buffer)
  // What was given back does not count.
  for (let turn = 0; turn < 100; turn++) giveBack(takeBuffer(MB))
  const memory = takeBuffer(MB).buffer
  freeTaskMemory()
  expect(takeBuffer(MB).buffer).toBe(memory)
  keepNoMore()
})

it('is kept up to a limit', () => {
  const keepNoMore = keepTaskMemory()
  const large = new Set(Array.from({ length: 30 }, () => takeBuffer(MB).buffer))
  freeTaskMemory()
  const next = Array.from({ length: 30 }, () => takeBuffer(MB).buffer)
  expect(next.filter((memory) => large.has(memory))).toHaveLength(16)
  keepNoMore()
})
