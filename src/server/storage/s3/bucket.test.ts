import { rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openBucket, type Bucket } from './bucket'

let server: Server
let bucket: Bucket
/** Answers requests to delete several objects. */
let deleteTogether: (request: IncomingMessage, response: ServerResponse) => void
/** Answers requests to put or copy an object. */
let put: (request: IncomingMessage, response: ServerResponse) => void
/** The statuses with which others are answered, by object. */
let statuses: Record<string, number>
let asked: string[]

beforeEach(async () => {
  statuses = {}
  asked = []
  server = createServer((request, response) => void answerAny(request, response))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const place = {
    bucket: 'stock',
    prefix: '',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'x',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  }
  bucket = await openBucket(place, { sendWithinMs: 100 })
})
afterEach(() => {
  bucket.close()
  server.close()
})

async function answerAny(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = request.url?.split('?')[0]?.replace('/stock/', '') ?? ''
  const body = await text(request)
  const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key)
  asked.push(`${request.method} ${keys.join() || name}`)
  if (request.method === 'POST') deleteTogether(request, response)
  else if (request.method === 'PUT') put(request, response)
  else response.writeHead(statuses[name] ?? 204).end()
}

const answer =
  (status: number, body: string) => (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
const DELETED = answer(200, '<DeleteResult></DeleteResult>')
const REFUSED = answer(501, '<Error><Code>NotImplemented</Code></Error>')

describe('many objects', () => {
  it('are deleted by a request for a thousand', async () => {
    deleteTogether = DELETED
    const names = Array.from({ length: 1_500 }, (_, number) => `${number}`)
    await bucket.deleteAll(names)
    expect(asked).toEqual([
      `POST ${names.slice(0, 1_000).join()}`,
      `POST ${names.slice(1_000).join()}`,
    ])
  })

  it('are deleted one by one where the server does not take such requests, which it is not asked again', async () => {
    deleteTogether = REFUSED
    statuses = { b: 404 }
    await bucket.deleteAll(['a', 'b'])
    await bucket.deleteAll(['c', 'd'])
    expect(asked[0]).toBe('POST a,b')
    expect(new Set(asked.slice(1))).toEqual(
      new Set(['DELETE a', 'DELETE b', 'DELETE c', 'DELETE d']),
    )
  })

  it('are not said to be deleted when the server has not deleted one', async () => {
    deleteTogether = answer(
      200,
      '<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>',
    )
    statuses = { b: 403 }
    await expect(bucket.deleteAll(['a', 'b'])).rejects.toThrow('refuses the keys')
  })

  it('are not asked for one by one when the server is at fault', async () => {
    deleteTogether = answer(503, '<Error><Code>SlowDown</Code></Error>')
    await expect(bucket.deleteAll(['a', 'b'])).rejects.toThrow('answers with 503')
    expect(new Set(asked)).toEqual(new Set(['POST a,b']))
  })
})

describe('an object of another bucket', () => {
  const copyIt = () => bucket.copyFrom({ bucket: 'files', prefix: 'a/' }, 'b c.csv', 'd')

  it('is copied by the server', async () => {
    let source: unknown
    put = (request, response) => {
      source = request.headers['x-amz-copy-source']
      answer(200, '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>')(request, response)
    }
    expect(await copyIt()).toBe(true)
    expect([asked, source]).toEqual([['PUT d'], 'files/a/b%20c.csv'])
  })

  it.each([
    ['is missing', answer(404, '<Error><Code>NoSuchKey</Code></Error>')],
    ['is too large', answer(400, '<Error><Code>InvalidRequest</Code></Error>')],
    ['fails at the server', answer(503, '<Error><Code>SlowDown</Code></Error>')],
    ['fails while it is copied', answer(200, '<Error><Code>InternalError</Code></Error>')],
    ['takes too long', () => undefined],
  ])('has to be sent if it %s', async (_what, fail) => {
    put = fail
    expect(await copyIt()).toBe(false)
  })
})

describe('an object that is put if there is none', () => {
  const path = join(tmpdir(), `stockbridge-put-${process.pid}`)
  const names = new Set<string>()
  const PUT = answer(200, '')
  const THERE = answer(412, '<Error><Code>PreconditionFailed</Code></Error>')
  const nameOf = ({ url = '' }: IncomingMessage) => new URL(url, 'http://x').pathname
  const heed = (request: IncomingMessage, response: ServerResponse) => {
    const isNew = !names.has(nameOf(request)) || request.headers['if-none-match'] !== '*'
    names.add(nameOf(request))
    const say = isNew ? PUT : THERE
    say(request, response)
  }

  beforeEach(() => writeFile(path, 'rows'))
  afterEach(async () => {
    names.clear()
    await rm(path)
  })

  it('takes one request, once the server has shown that it heeds the condition', async () => {
    put = heed
    const first = [await bucket.putNew('a', path), await bucket.putNew('b', path)]
    expect([...first, await bucket.putNew('a', path)]).toEqual([true, true, false])
    expect(asked).toEqual(['PUT a', 'PUT a', 'PUT b', 'PUT a'])
  })

  it.each([
    ['does not heed conditions', PUT, [true, false, false], 2],
    [
      'refuses conditions',
      answer(501, '<Error><Code>NotImplemented</Code></Error>'),
      [false, false, false],
      1,
    ],
  ] as const)(
    'is left to who asks whether it is there if the server %s',
    async (_what, say, isPut, requests) => {
      put = say
      const results = []
      for (const name of ['a', 'b', 'c']) results.push(await bucket.putNew(name, path))
      expect([results, asked.length]).toEqual([isPut, requests])
    },
  )

  it('is none of a large file, and fails when the server does', async () => {
    put = answer(503, '<Error><Code>SlowDown</Code></Error>')
    await expect(bucket.putNew('a', path)).rejects.toThrow('answers with 503')
    asked = []
    await truncate(path, 6 * 1024 * 1024)
    expect([await bucket.putNew('a', path), asked]).toEqual([false, []])
  })
})
