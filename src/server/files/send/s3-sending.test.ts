import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type SourceServer, startSourceServer } from '../../testing/servers/source-server'
import { failureOf } from '../../testing/stages/fetching'
import { bodyOf } from '../../testing/stages/sending'
import { createFileSender } from './file-sender'
import { createNetworkSender } from './send-file'
import type { FileSender, Sending } from './sending'

const CSV = 'sku,name\n1,Shirt\n'
const KEY = 'secret-of-the-bucket'

let server: SourceServer
let sender: FileSender
/** The answer to each method. */
let answers: Record<string, { status: number; body?: string }>

beforeEach(async () => {
  answers = { PUT: { status: 200 }, DELETE: { status: 204 } }
  server = await startSourceServer({
    fallback(request, response) {
      const { status, body = '' } = answers[request.method ?? ''] ?? { status: 500 }
      request.resume().on('end', () => response.writeHead(status).end(body))
    },
  })
  sender = createFileSender(createNetworkSender({ now: Date.now, allow: [server.host] }))
})
afterEach(async () => {
  await sender.close()
  await server.close()
})

const send = (sending: Partial<Sending> = {}) =>
  sender.send(
    {
      address: 's3://acme-files/out',
      fileName: 'stock.csv',
      mediaType: 'text/csv',
      sizeBytes: CSV.length,
      sha256: createHash('sha256').update(CSV).digest('hex'),
      method: 'POST',
      idempotencyKey: '1',
      isRepeat: false,
      isTrial: false,
      s3: {
        accessKeyId: 'AKIA',
        secretAccessKey: KEY,
        region: 'eu-central-1',
        endpoint: server.url(''),
      },
      signal: new AbortController().signal,
      ...sending,
    },
    bodyOf(CSV),
  )

describe('sending to a bucket', () => {
  it('is one signed request with a checksum that the server compares, and without the key pair', async () => {
    await send()
    const [{ method, path, headers } = server.requests[0]!] = server.requests
    expect(method).toBe('PUT')
    expect(path).toMatch(
      /^\/acme-files\/out\/stock\.csv\?.*X-Amz-SignedHeaders=host%3Bx-amz-checksum-sha256/,
    )
    expect(headers).toMatchObject({
      'content-length': String(CSV.length),
      'x-amz-checksum-sha256': createHash('sha256').update(CSV).digest('base64'),
    })
    expect(headers).not.toHaveProperty('idempotency-key')
    expect(JSON.stringify(server.requests)).not.toContain(KEY)
  })

  it('deletes the file of a trial, or says that it may not', async () => {
    expect((await send({ isTrial: true })).text).toContain('it was removed again')
    expect(server.requests.map(({ method }) => method)).toEqual(['PUT', 'DELETE'])
    answers.DELETE = { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }
    const { text } = await send({ isTrial: true })
    expect(text).toContain('may not be removed by this key pair: delete it by hand')
  })

  it('is refused for files that a bucket does not take in one piece', async () => {
    const failure = await failureOf(send({ sizeBytes: 5 * 1024 ** 3 + 1 }))
    expect(failure).toMatchObject({ code: 'too-large' })
    expect(server.requests).toEqual([])
  })

  it.each([
    [403, 'AccessDenied', /needs the permission s3:PutObject/],
    [400, 'BadDigest', /changed on its way/],
    [400, 'EntityTooLarge', /larger than the server of the bucket takes/],
    [307, 'TemporaryRedirect', /in another region/],
  ])('says why it is refused: %i %s', async (status, code, text) => {
    answers.PUT = { status, body: `<Error><Code>${code}</Code></Error>` }
    const failure = await failureOf(send())
    expect(failure.message).toMatch(text)
    expect(failure.message).not.toContain('X-Amz')
    expect(server.requests).toHaveLength(1)
  })

  it('needs a key pair', async () => {
    const failure = await failureOf(send({ s3: undefined }))
    expect(failure).toMatchObject({ code: 'bad-address' })
    expect(failure.message).toContain('in the settings of the destination')
  })
})
