import { once } from 'node:events'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createFileStreams } from './file-streams'

const MB = 1024 * 1024
const CONTENT = Buffer.from(Array.from({ length: 3 * MB }, (_, index) => (index * 7919) % 251))

/** Pipes the stream to its end; each chunk is copied only after the next one has had time to be read. */
async function receive(stream: Readable): Promise<Buffer> {
  const received: Buffer[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      setImmediate(() => setImmediate(() => done(void received.push(Buffer.from(chunk)))))
    },
  })
  await finished(stream.pipe(destination))
  return Buffer.concat(received)
}

describe('a file stream that is piped', () => {
  let directory: string
  let path: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stockbridge-streams-'))
    path = join(directory, 'file')
    await writeFile(path, CONTENT)
  })
  afterAll(() => rm(directory, { recursive: true }))

  /** Opens the file as a stream; `isOpen` tells whether it still holds the file open. */
  async function openStream(
    toStream = createFileStreams(),
    range?: { start: number; end: number },
  ) {
    const handle = await open(path, 'r')
    return { stream: toStream(handle, range), isOpen: () => handle.fd !== -1 }
  }

  it('sends the whole file, and closes it', async () => {
    const { stream, isOpen } = await openStream()
    const sent = await receive(stream)
    expect(sent.equals(CONTENT)).toBe(true)
    await expect.poll(isOpen).toBe(false)
  })

  it.each([
    [0, 0],
    [MB - 1, MB + 1],
    [5, 3 * MB - 1],
    [3 * MB - 1, 3 * MB - 1],
  ])('sends the bytes from %i to %i', async (start, end) => {
    const { stream } = await openStream(createFileStreams(), { start, end })
    const sent = await receive(stream)
    expect(sent.equals(CONTENT.subarray(start, end + 1))).toBe(true)
  })

  it('sends an empty file', async () => {
    const empty = join(directory, 'empty')
    await writeFile(empty, '')
    const stream = createFileStreams()(await open(empty, 'r'))
    expect(await receive(stream)).toHaveLength(0)
  })

  it('does not read on while the destination takes nothing', async () => {
    const chunks: number[] = []
    const destination = new Writable({ write: (chunk: Buffer) => void chunks.push(chunk.length) })
    const { stream, isOpen } = await openStream()
    stream.pipe(destination)
    await expect.poll(() => chunks.length).toBe(1)
    stream.destroy()
    await expect.poll(isOpen).toBe(false)
    expect(chunks).toHaveLength(1)
  })

  it('closes the file when the destination is destroyed', async () => {
    const destination = new Writable({ write: () => undefined })
    destination.on('error', () => undefined)
    const { stream, isOpen } = await openStream()
    stream.pipe(destination)
    await expect.poll(() => destination.writableLength).toBeGreaterThan(0)
    destination.destroy(new Error('The client is gone'))
    await expect.poll(isOpen).toBe(false)
  })

  it('fails when the file is shorter than expected', async () => {
    const short = join(directory, 'short')
    await writeFile(short, CONTENT)
    const stream = createFileStreams()(await open(short, 'r'), {
      start: 0,
      end: CONTENT.length - 1,
    })
    await truncate(short, 1_000)
    const failed = once(stream, 'error')
    stream.pipe(new Writable({ write: (_chunk, _encoding, done) => done() }))
    const [error] = (await failed) as [Error]
    expect(error.message).toBe('A stored file is shorter than expected')
  })

  it('uses large buffers for the first readers only, until one of them has ended', async () => {
    const toStream = createFileStreams()
    const start = async () => {
      const { stream } = await openStream(toStream)
      const sizes: number[] = []
      stream.pipe(new Writable({ write: (chunk: Buffer) => void sizes.push(chunk.length) }))
      await expect.poll(() => sizes.length).toBe(1)
      return { stream, size: sizes[0] }
    }
    const first = await Promise.all(Array.from({ length: 64 }, start))
    expect(new Set(first.map(({ size }) => size))).toEqual(new Set([256 * 1024]))
    const next = await start()
    expect(next.size).toBe(32 * 1024)
    first[0]!.stream.destroy()
    await once(first[0]!.stream, 'close')
    const last = await start()
    expect(last.size).toBe(256 * 1024)
    for (const { stream } of [...first, next, last]) stream.destroy()
  })
})
