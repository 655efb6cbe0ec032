import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { closeServer, listenOnLoopback } from '../../../testing/servers/loopback'
import { failureOf } from '../../../testing/stages/fetching'
import { bodyOf, requestOf } from '../../../testing/stages/sending'
import type { SendTimeouts } from '../send-context'
import { createNetworkSender, type NetworkSender } from '../send-file'
import type { SentBody } from '../sending'

const CSV = 'sku,name\n1,Shirt\n2,Shoes\n'
const LARGE = Buffer.alloc(30_000_003, 'a long line of some text, ')

let server: Server
let port = 0
let sender: NetworkSender
/** What has arrived. */
let seen: { method?: string; url?: string; headers: IncomingHttpHeaders; body: Buffer }[]
/** The answer, once all of a body is there. */
let answer: RequestListener
/** Instead of being told to go on. */
let onExpect: RequestListener | undefined

beforeEach(async () => {
  seen = []
  answer = (_request, response) => response.writeHead(201).end('stored')
  onExpect = undefined
  const receive: RequestListener = (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body: Buffer.concat(pieces) })
      answer(request, response)
    })
  }
  server = createServer(receive).on('checkContinue', (request, response) => {
    if (onExpect) return onExpect(request, response)
    response.writeContinue()
    receive(request, response)
  })
  port = await listenOnLoopback(server)
  sender = open()
})
afterEach(async () => {
  await sender.close()
  await closeServer(server)
})

const open = (timeouts: Partial<SendTimeouts> = {}) =>
  createNetworkSender({ now: Date.now, allow: ['127.0.0.1'], timeouts })

const send = (
  content: Buffer | string = CSV,
  request: Parameters<typeof requestOf>[1] = {},
  body: SentBody = bodyOf(content),
) => sender.send(requestOf(content, { address: `http://127.0.0.1:${port}/in/`, ...request }), body)

describe('sending to a web address', () => {
  it('puts a file under its name, with its length, its digest and the key of its dispatch', async () => {
    expect(await send(LARGE)).toEqual({ text: 'The server answered 201 Created.' })
    const [{ method, url, headers, body } = seen[0]!] = seen
    expect({ method, url }).toEqual({ method: 'PUT', url: '/in/stock.csv' })
    expect(body.equals(LARGE)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(LARGE.length),
      'content-disposition': 'attachment; filename="stock.csv"',
      'content-digest': `sha-256=:${Buffer.from(requestOf(LARGE).sha256, 'hex').toString('base64')}:`,
      'idempotency-key': 'dispatch-1',
      expect: '100-continue',
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('stockbridge-'))).toEqual([])
  })

  it('posts to the address as it is where that ends without a slash, and marks repeats and trials', async () => {
    const address = `http://127.0.0.1:${port}/hook?a=1/`
    const credentials = { name: 'authorization', value: 'Bearer secret' }
    const { text } = await send(CSV, {
      address,
      method: 'POST',
      credentials,
      isRepeat: true,
      isTrial: true,
      fileName: 'Bestände (1).csv',
    })
    expect(text).toContain('cannot be taken away again')
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/hook?a=1/' })
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'stockbridge-repeat': 'true',
      'stockbridge-trial': 'true',
      'content-disposition': `attachment; filename="Best_nde (1).csv"; filename*=UTF-8''Best%C3%A4nde%20%281%29.csv`,
    })
  })

  it.each([
    [401, /requires credentials: enter them/],
    [404, /nothing at this address that takes files/],
    [405, /not take files by PUT at this address: choose POST/],
    [413, /larger than it takes/],
    [503, /on the server side/],
    [302, /enter the final one/],
  ])('sends no byte to a server that answers %i to the question', async (status, text) => {
    onExpect = (_request, response) => response.writeHead(status).end('<b>their words</b>')
    let isAsked = false
    const failure = await failureOf(
      send(
        LARGE,
        {},
        bodyOf(LARGE, () => (isAsked = true)),
      ),
    )
    expect(failure).toMatchObject({ code: 'http-status' })
    expect(failure.message).toMatch(text)
    expect(failure.message).not.toContain('their words')
    expect(isAsked).toBe(false)
  })

  it.each([301, 302, 307, 308])(
    'follows no redirect (%i), and names its host alone',
    async (status) => {
      onExpect = (_request, response) =>
        response.writeHead(status, { location: 'https://other.example/x?token=secret' }).end()
      const credentials = { name: 'authorization', value: 'Bearer secret' }
      const failure = await failureOf(send(CSV, { credentials }))
      expect(failure.message).toContain('It redirects to https://other.example,')
      expect(failure.message).not.toContain('token')
    },
  )

  it('tells an answer that comes in the middle as itself, though the connection is then cut', async () => {
    for (let time = 0; time < 20; time++) {
      onExpect = (request, response) => {
        response.writeContinue()
        let bytes = 0
        request.on('error', () => undefined)
        request.on('data', (piece: Buffer) => {
          bytes += piece.length
          if (bytes < 1_000_000) return
          request.pause()
          response.writeHead(413, { 'retry-after': '7' }).end('too large', () => request.destroy())
        })
      }
      const failure = await failureOf(send(LARGE))
      expect(failure.message).toContain('413 Payload Too Large')
      expect(failure.retryAfterMs).toBe(7_000)
    }
  })

  it('sends to servers that do not know the question: without an answer, or with 417', async () => {
    onExpect = (request, response) => {
      request.resume().on('end', () => response.writeHead(204).end())
    }
    expect((await send(LARGE)).text).toBe('The server answered 204 No Content.')
    onExpect = (_request, response) => response.writeHead(417).end()
    expect((await send()).text).toBe('The server answered 201 Created.')
    expect(seen.at(-1)?.headers.expect).toBeUndefined()
  })

  it('does not take a yes for all of a file that the server did not wait for', async () => {
    onExpect = (request, response) => {
      response.writeContinue()
      request.once('data', () => {
        response.writeHead(200).flushHeaders()
        setTimeout(() => request.destroy(), 20)
        request.pause()
      })
    }
    expect(await failureOf(send(LARGE))).toMatchObject({ code: 'connection-lost' })
  })

  it('gives up a server that takes nothing more, does not answer, or asks without end', async () => {
    sender = open({ idleMs: 200, acceptMs: 500 })
    onExpect = (request, response) => {
      response.writeContinue()
      request.pause()
    }
    expect(await failureOf(send(LARGE))).toMatchObject({ code: 'stalled' })
    onExpect = undefined
    answer = () => undefined
    expect(await failureOf(send())).toMatchObject({ code: 'answer-timeout' })
    onExpect = (request, response) => {
      const timer = setInterval(() => response.writeProcessing(), 1)
      request.on('close', () => clearInterval(timer))
    }
    expect(await failureOf(send())).toMatchObject({ code: 'bad-answer' })
  })

  it('ends at once when it is to, and does not wait for an answer that never ends', async () => {
    const ending = new AbortController()
    answer = () => ending.abort(new Error('The lease was lost'))
    await expect(send(CSV, { signal: ending.signal })).rejects.toThrow('The lease was lost')
    answer = (_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(timer))
    }
    expect((await send()).text).toBe('The server answered 200 OK.')
  })

  it('tells of what is no web server, and of one that closes the connection', async () => {
    const other = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end('220 Ready\r\n'))
    })
    const address = `http://127.0.0.1:${await listenOnLoopback(other)}/`
    expect(await failureOf(send(CSV, { address }))).toMatchObject({ code: 'bad-answer' })
    other.close()
    onExpect = (request, response) => {
      response.writeContinue()
      request.once('data', () => request.destroy())
    }
    expect(await failureOf(send(LARGE))).toMatchObject({ code: 'connection-lost' })
  })

  it('reads a file no faster than the server takes it', async () => {
    let readBytes = 0
    let takenBytes = 0
    onExpect = (request, response) => {
      response.writeContinue()
      void (async () => {
        for await (const piece of request as AsyncIterable<Buffer>) {
          takenBytes += piece.length
          if (takenBytes < 2_000_000) await sleep(5)
        }
        response.writeHead(200).end()
      })()
    }
    let most = 0
    const body = bodyOf(LARGE, (at) => {
      readBytes = at
      if (takenBytes < 2_000_000) most = Math.max(most, readBytes - takenBytes)
    })
    await send(LARGE, {}, body)
    // Besides what the system holds for both ends of a connection.
    expect(most).toBeLessThan(12_000_000)
  })
})
