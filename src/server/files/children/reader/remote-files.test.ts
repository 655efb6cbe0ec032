import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { sha256 } from '../../../testing/stages/reader-stage'
import { createFileDesk, type FileDesk } from './file-desk'
import { type FileRequest, HEAD_BYTES } from './messages'
import { createRemoteFiles, type RemoteFiles } from './remote-files'

let folder: string
let desk: FileDesk
let files: RemoteFiles
/** What the reader has asked for. */
let asked: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-remote-'))
  asked = []
  desk = createFileDesk(
    { reads: [join(folder, 'stored')], writes: [join(folder, 'draft')] },
    undefined,
    undefined,
  )
  files = createRemoteFiles((id, request, bytes) => {
    asked.push(request.kind)
    void answer(id, request, bytes)
  })
})
const answer = async (id: number, request: FileRequest, bytes: Uint8Array) => {
  const found = await desk.answer(request, [Buffer.from(bytes)])
  files.take({ type: 'answer', id, value: found.value }, found.bytes ?? [])
}
afterEach(async () => {
  await desk.close()
  await rm(folder, { recursive: true })
})

it.each([
  ['nothing', 0],
  ['a little', 100],
  ['a byte less than comes at once', HEAD_BYTES - 1],
  ['as much as comes at once', HEAD_BYTES],
  ['more', 3 * HEAD_BYTES + 5],
])('a file with %s is read as it is, from anywhere', async (_what, length) => {
  const content = randomBytes(length)
  await writeFile(join(folder, 'stored'), content)
  const file = await files.open(join(folder, 'stored'))
  expect(await buffer(file.read())).toEqual(content)
  for (const start of [0, 1, length - 1, length, HEAD_BYTES - 1, HEAD_BYTES + 1]) {
    if (start < 0) continue
    expect(await buffer(file.read(start))).toEqual(content.subarray(start))
    const target = Buffer.alloc(100)
    const read = await file.readAt(target, start)
    expect(target.subarray(0, read)).toEqual(content.subarray(start, start + 100))
  }
  await file.close()
})

it('a small file is asked for once', async () => {
  await writeFile(join(folder, 'stored'), 'sku\r\n1\r\n')
  const file = await files.open(join(folder, 'stored'))
  await file.readAt(Buffer.alloc(3), 5)
  expect((await buffer(file.read())).toString()).toBe('sku\r\n1\r\n')
  await file.close()
  expect(asked).toEqual(['open'])
})

it.each([
  ['a little', 100, ['finish']],
  ['as much as stays at hand', HEAD_BYTES, ['finish']],
  [
    'more',
    3 * HEAD_BYTES + 5,
    ['write', 'open', 'read', 'close', 'finish', 'open', 'read', 'close'],
  ],
])(
  'a scratch file with %s is read as it was written, before and after its end',
  async (_what, length, requests) => {
    const content = randomBytes(length)
    const scratch = await files.openScratch(join(folder, 'draft'))
    for (let at = 0; at < length; at += 1_000) await scratch.write(content.subarray(at, at + 1_000))
    const expectWhole = async () => {
      const file = await files.open(join(folder, 'draft'))
      expect(await buffer(file.read())).toEqual(content)
      for (const start of [0, length - 1, length, HEAD_BYTES - 1]) {
        const target = Buffer.alloc(100)
        const read = await file.readAt(target, start)
        expect(target.subarray(0, read)).toEqual(content.subarray(start, start + 100))
      }
      await file.close()
    }
    await expectWhole()
    const written = await scratch.finish()
    expect(written).toEqual({ sha256: sha256(content), sizeBytes: length })
    await expectWhole()
    expect([...new Set(asked)]).toEqual([...new Set(requests)])
  },
)

it('a scratch file that was not sent is discarded without a request', async () => {
  const scratch = await files.openScratch(join(folder, 'draft'))
  await scratch.write(Buffer.from('PK'))
  await scratch.discard()
  expect(asked).toEqual([])
})

it('a scratch file is not asked for once it is discarded, which would end the process', async () => {
  const scratch = await files.openScratch(join(folder, 'draft'))
  await scratch.write(Buffer.alloc(4 * HEAD_BYTES))
  const target = Buffer.alloc(2)
  expect(await scratch.readAt(target, 2 * HEAD_BYTES)).toBe(2)
  await scratch.discard()
  await expect(scratch.readAt(target, 0)).rejects.toThrow('discarded')
  await expect(scratch.readAt(target, 2 * HEAD_BYTES)).rejects.toThrow('discarded')
  expect(asked.at(-1)).toBe('discard')
})
