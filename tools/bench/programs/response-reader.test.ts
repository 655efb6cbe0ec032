import { expect, it } from 'vitest'

import { createResponseReader } from './response-reader'

/** The statuses that a reader reports for pieces of bytes. */
function readAll(...pieces: string[]) {
  const { read } = createResponseReader()
  return pieces.map((piece) => read(Buffer.from(piece)))
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'

it('a response ends with the last byte of its body', () => {
  expect(readAll(`${OK}hello`, `${OK}he`, 'l', 'lo')).toEqual([200, undefined, undefined, 200])
})

it('a head may come in pieces', () => {
  expect(readAll(OK.slice(0, 10), OK.slice(10, -1), `\nhello`)).toEqual([undefined, undefined, 200])
})

it('a response without a body ends with its head', () => {
  const notModified = 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n'
  expect(readAll(notModified, notModified)).toEqual([304, 304])
})

it('a response in chunks ends with the empty one', () => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  expect(readAll(head, '5\r\nhello\r\n', '0\r', '\n\r\n', `${head}0\r\n\r\n`)).toEqual([
    undefined,
    undefined,
    undefined,
    200,
    200,
  ])
})
