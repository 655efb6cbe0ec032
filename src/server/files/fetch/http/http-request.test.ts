import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createMemoryDrafts, readAll } from '../../../testing/fixtures/file-fixtures'
import { type SourceServer, startSourceServer } from '../../../testing/servers/source-server'
import { fetchContent } from '../../../testing/stages/fetching'
import { ingestFile } from '../../ingest'
import { type FileFetcher, createFileFetcher } from '../fetch'

const { signal } = new AbortController()
let unhandled: unknown[] = []
const recordUnhandled = (error: unknown) => void unhandled.push(error)

let server: SourceServer
let fetcher: FileFetcher

beforeEach(async () => {
  unhandled = []
  process.on('uncaughtException', recordUnhandled).on('unhandledRejection', recordUnhandled)
  server = await startSourceServer()
  fetcher = createFileFetcher({
    now: Date.now,
    allow: [server.host],
    maxBytes: 8 * 1024 * 1024,
  })
})
afterEach(async () => {
  await fetcher.close()
  await vi.waitFor(() => {
    if (server.openSockets() > 0) throw new Error('A connection was left open')
  })
  await server.close()
  await nextTurn()
  process.off('uncaughtException', recordUnhandled).off('unhandledRejection', recordUnhandled)
  if (unhandled.length > 0) throw new AggregateError(unhandled, 'Errors reached the process')
})

/** Responds by writing to the raw socket; `closed` resolves when that has been closed. */
function respondRaw(write: (socket: Socket) => void) {
  let resolve: (socket: Socket) => void
  const connection = new Promise<Socket>((settle) => {
    resolve = settle
  })
  const closed = connection.then(
    (socket) =>
      new Promise<void>((settle) => {
        socket.once('close', () => settle())
      }),
  )
  const handler = ({ socket }: { socket: Socket }) => {
    resolve(socket)
    write(socket)
  }
  server.set('/a.csv', { handler })
  return { connection, closed }
}

const fetchBody = async () => (await fetchContent(fetcher, server.url('/a.csv'))).body

async function outcome() {
  try {
    return (await readAll(await fetchBody())).toString()
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

const head = (...lines: string[]) => Buffer.from(['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n'))

function inHttpChunks(body: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += 10_000) {
    const piece = body.subarray(at, at + 10_000)
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return [...parts, Buffer.from('0\r\n\r\n')]
}

const FRAMINGS: Record<string, (body: Buffer) => Buffer> = {
  'a length': (body) => Buffer.concat([head(`content-length: ${body.length}`), body]),
  chunks: (body) => Buffer.concat([head('transfer-encoding: chunked'), ...inHttpChunks(body)]),
  'no length': (body) => Buffer.concat([head(), body]),
}

const READ_BYTES = 64 * 1024

/** Bytes that repeat, but not in step with reads. */
const PERIOD = Buffer.from(Array.from({ length: 251 }, (_, i) => i))
const bodyOf = (bytes: number) => Buffer.alloc(bytes, PERIOD)

/**
 * From less than one socket read to several, but no more than the system buffers while nobody reads.
 * Some fill their reads exactly, so that only the end is outstanding when the reader pauses.
 */
function sizesOf(frame: (body: Buffer) => Buffer): number[] {
  const fill = (reads: number) => {
    let bytes = reads * READ_BYTES
    while (frame(bodyOf(bytes)).length > reads * READ_BYTES) bytes--
    return bytes
  }
  return [5, 16_384, 100_000, 150_000, fill(1), fill(2), fill(3)]
}

for (const [framing, frame] of Object.entries(FRAMINGS)) {
  describe(`a body with ${framing}`, () => {
    for (const bytes of sizesOf(frame)) {
      it(`is complete when the server closes before ${bytes} bytes are read`, async () => {
        const { closed } = respondRaw((socket) => {
          socket.write(frame(bodyOf(bytes)))
          socket.destroySoon()
        })
        const body = await fetchBody()
        await closed
        expect((await readAll(body)).equals(bodyOf(bytes))).toBe(true)
      })

      it(`is complete when the server closes while the reader of ${bytes} bytes pauses`, async () => {
        const { connection, closed } = respondRaw((socket) => socket.write(frame(bodyOf(bytes))))
        const chunks: Buffer[] = []
        for await (const chunk of await fetchBody()) {
          if (chunks.length === 0) {
            // Everything sent has arrived; only the end of the connection is outstanding.
            await nextTurn()
            ;(await connection).destroySoon()
            await closed
            await nextTurn()
          }
          chunks.push(chunk)
        }
        expect(Buffer.concat(chunks).equals(bodyOf(bytes))).toBe(true)
      })
    }

    it('is complete when the server closes after everything was read', async () => {
      const { connection, closed } = respondRaw((socket) => socket.write(frame(bodyOf(100_000))))
      let bytes = 0
      for await (const chunk of await fetchBody()) {
        bytes += chunk.length
        if (bytes === 100_000) (await connection).destroySoon()
      }
      await closed
      expect(bytes).toBe(100_000)
    })

    it('is ingested completely by a slow reader, whenever the server closes', async () => {
      const rows = `sku,name\n${'1,Shirt\n'.repeat(40_000)}`
      for (let round = 0; round < 10; round++) {
        respondRaw((socket) => {
          socket.write(frame(Buffer.from(rows)))
          socket.destroySoon()
        })
        const drafts = createMemoryDrafts()
        const openDraft = async () => {
          const draft = await drafts.open()
          const write = async (chunk: Uint8Array) => {
            for (let turn = 0; turn <= round; turn++) await nextTurn()
            await draft.write(chunk)
          }
          return { ...draft, write }
        }
        const options = { openDraft, compression: 'none', categoryReading: null, signal } as const
        const { draft, report } = await ingestFile(await fetchBody(), options)
        expect(report.rowCount).toBe(40_000)
        expect((await readAll(draft.read())).toString() === rows).toBe(true)
      }
    })

    const startCut = () =>
      respondRaw((socket) => socket.write(frame(bodyOf(150_000)).subarray(0, 140_000)))

    it('is truncated when the connection is reset', async () => {
      const { connection, closed } = startCut()
      const reader = (await fetchBody())[Symbol.asyncIterator]()
      await reader.next()
      ;(await connection).resetAndDestroy()
      await closed
      const rest = readAll({ [Symbol.asyncIterator]: () => reader })
      await expect(rest).rejects.toMatchObject({ name: 'FileError', code: 'truncated' })
    })

    it('raises no unhandled error when the connection is reset while nobody reads', async () => {
      const { connection, closed } = startCut()
      const body = await fetchBody()
      ;(await connection).resetAndDestroy()
      await closed
      await nextTurn()
      body.destroy()
      expect(server.requests).toHaveLength(1)
    })
  })
}

describe('a response', () => {
  it('may follow any number of 1xx responses', async () => {
    const early = ['100 Continue', '102 Processing', '103 Early Hints', '103 Early Hints']
    respondRaw((socket) => {
      for (const status of early) socket.write(`HTTP/1.1 ${status}\r\nlink: </x>\r\n\r\n`)
      socket.end(Buffer.concat([head('content-length: 3'), Buffer.from('abc')]))
    })
    expect(await outcome()).toBe('abc')
  })

  it('that switches protocols is refused, and the connection is closed', async () => {
    for (const lines of ['', 'upgrade: h2c\r\nconnection: upgrade\r\n']) {
      const { closed } = respondRaw((socket) => {
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\nabc`)
      })
      expect(await outcome()).toBe('http-status')
      await closed
    }
  })

  it('must be strict HTTP with at most 16 KiB of headers', async () => {
    const heads = {
      'content-length: 3\r\ntransfer-encoding: chunked': 'bad-answer',
      'content-length: 3\r\ncontent-length: 4': 'bad-answer',
      'content-length: -3': 'bad-answer',
      'x : y': 'bad-answer',
      'x: y\nz: w': 'bad-answer',
      'x: y\0': 'bad-answer',
      [`x: ${'y'.repeat(17_000)}`]: 'bad-answer',
      [`x: ${'y'.repeat(15_000)}`]: 'abc',
    }
    for (const [lines, expected] of Object.entries(heads)) {
      const { closed } = respondRaw((socket) => socket.end(`${head(lines).toString()}abc`))
      expect({ lines, outcome: await outcome() }).toEqual({ lines, outcome: expected })
      await closed
    }
  })

  it('with more bytes than its announced length is refused', async () => {
    for (const lines of [['content-length: 3'], ['content-length: 3', 'connection: close']]) {
      respondRaw((socket) => socket.end(`${head(...lines).toString()}abcdef`))
      expect(await outcome()).toBe('wrong-length')
    }
  })

  it('may be followed by line ends or another response, which are ignored', async () => {
    const lastChunk = '3\r\nabc\r\n0\r\n\r\n'
    const byLength = `${head('content-length: 3').toString()}abc`
    for (const text of [
      `${byLength}\r\n`,
      `${byLength}HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ndef`,
      `${head('transfer-encoding: chunked').toString()}${lastChunk}def`,
    ]) {
      respondRaw((socket) => socket.end(text))
      expect(await outcome()).toBe('abc')
    }
  })

  it('is truncated by an invalid chunk', async () => {
    respondRaw((socket) => {
      socket.end(`${head('transfer-encoding: chunked').toString()}3\r\nabc\r\nzz\r\n`)
    })
    expect(await outcome()).toBe('truncated')
  })
})

describe('a request', () => {
  it('goes to the server directly, whatever proxies the environment sets', async () => {
    const proxy = await startSourceServer()
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']) {
      vi.stubEnv(name, proxy.url(''))
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    vi.stubEnv('NO_PROXY', '')
    try {
      server.set('/a.csv', { body: 'sku\n1\n' })
      expect(await outcome()).toBe('sku\n1\n')
      expect(proxy.requests).toEqual([])
    } finally {
      vi.unstubAllEnvs()
      await proxy.close()
    }
  })

  it('sends Connection: close, and the connection is closed after the response', async () => {
    server.set('/a.csv', { body: 'a', headers: { connection: 'keep-alive' } })
    const { closed } = respondRaw((socket) => socket.write(FRAMINGS['a length']!(bodyOf(3))))
    await readAll(await fetchBody())
    await closed
    expect(server.requests[0]?.headers.connection).toBe('close')
  })
})
