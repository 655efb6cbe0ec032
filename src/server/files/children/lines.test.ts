import { PassThrough } from 'node:stream'

import { beforeEach, describe, expect, it } from 'vitest'

import { receiveMessages, sendMessage } from './lines'

const MAX_BYTES = 100

let stream: PassThrough
let messages: unknown[]
let broken: number

beforeEach(() => {
  stream = new PassThrough()
  messages = []
  broken = 0
  receiveMessages(
    stream,
    MAX_BYTES,
    (message) => messages.push(message),
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

  it.each([
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
