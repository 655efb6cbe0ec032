import { PassThrough } from 'node:stream'

import { beforeEach, describe, expect, it } from 'vitest'

import { freeTaskMemory, keepTaskMemory, takeBuffer } from '../task-memory'
import { receiveMessages, sendMessage } from './lines'

const MAX_BYTES = 100
const LIMITS = { lineBytes: MAX_BYTES, payloadBytes: MAX_BYTES }

let stream: PassThrough
let messages: unknown[]
let broken: number

beforeEach(() => {
  stream = new PassThrough()
  messages = []
  broken = 0
  receiveMessages(
    stream,
    LIMITS,
    (message, bytes) =>
      messages.push(bytes.length > 0 ? [message, Buffer.concat(bytes).toString()] : message),
    () => (broken += 1),
  )
})

async function write(...chunks: (string | Buffer)[]): Promise<void> {
  for (const chunk of chunks) stream.write(chunk)
  await new Promise(setImmediate)
}

describe('messages over a stream', () => {
  it('arrive as they were sent', async () => {
    sendMessage(stream, { text: 'a line\nand another', number: 1 })
    await write()
    expect(messages).toEqual([{ text: 'a line\nand another', number: 1 }])
  })

  it('may be split over chunks, or share a chunk', async () => {
    const bytes = Buffer.from('"é"\n[1]\n2\n')
    await write(...[...bytes].map((byte) => Buffer.from([byte])))
    await write('3\n4\n5')
    expect(messages).toEqual(['é', [1], 2, 3, 4])
    await write('6\n')
    expect(messages.at(-1)).toBe(56)
  })

  it('carry bytes, however these are split', async () => {
    const sent = new PassThrough()
    const chunks: Buffer[] = []
    sent.on('data', (chunk: Buffer) => chunks.push(chunk))
    sendMessage(sent, { id: 1 }, [Buffer.from('{"a":'), Buffer.from('\n1}')])
    sendMessage(sent, { id: 2 })
    sendMessage(sent, { id: 3 }, [Buffer.from('x')])
    await new Promise(setImmediate)
    const all = Buffer.concat(chunks)
    const expected = [[{ id: 1, bytes: 8 }, '{"a":\n1}'], { id: 2 }, [{ id: 3, bytes: 1 }, 'x']]
    await write(all)
    expect(messages).toEqual(expected)
    for (const size of [1, 2, 3, 20]) {
      messages.length = 0
      for (let at = 0; at < all.length; at += size) await write(all.subarray(at, at + size))
      expect(messages).toEqual(expected)
    }
  })

  it('leave little memory behind, however many bytes they carry', async () => {
    let received = 0
    let most = 0
    const carried = new PassThrough()
    const limits = { lineBytes: MAX_BYTES, payloadBytes: 64 * 1024 }
    const take = (_message: unknown, bytes: readonly Buffer[]) => {
      for (const { length } of bytes) received += length
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    receiveMessages(carried, limits, take, () => undefined)
    const before = process.memoryUsage().arrayBuffers
    for (let id = 0; id < 1_000; id++) {
      sendMessage(carried, { id }, [Buffer.alloc(limits.payloadBytes)])
      await new Promise(setImmediate)
    }
    expect(received).toBe(1_000 * limits.payloadBytes)
    expect(most - before).toBeLessThan(16 * 1024 * 1024)
  })

  it('arrive whole although tasks begin and end between their parts', async () => {
    const keepNoMore = keepTaskMemory()
    const other = new PassThrough()
    const received: unknown[] = []
    const take = (message: unknown) => void received.push(message)
    receiveMessages(other, LIMITS, take, () => undefined)
    other.write('{"text":"one')
    await new Promise(setImmediate)
    freeTaskMemory()
    takeBuffer(64 * 1024).fill('x')
    other.write(' two"}\n')
    await new Promise(setImmediate)
    expect(received).toEqual([{ text: 'one two' }])
    keepNoMore()
  })

  it.each([
    ['one with too many bytes', ['{"bytes":101}\n2\n']],
    ['one with an impossible number of bytes', ['{"bytes":-1}\n2\n']],
    ['one that is not JSON', ['1\n{\n2\n']],
    ['one that is too long', [`"${'x'.repeat(MAX_BYTES)}"\n2\n`]],
    ['one that never ends', Array.from({ length: MAX_BYTES + 1 }, () => 'x')],
  ])('are no longer received after %s', async (_what, chunks) => {
    await write(...chunks)
    await write('\n3\n')
    expect(broken).toBe(1)
    expect(messages).not.toContain(2)
    expect(messages).not.toContain(3)
  })
})
