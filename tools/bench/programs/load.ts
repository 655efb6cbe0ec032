// Sends requests over connections that stay open, each with one request at a time, and reports how many
// were answered how fast. Reads responses from the socket itself: an HTTP client would be slower than
// the servers it measures.
import { connect, type Socket } from 'node:net'

import { percentile } from '../statistics'
import { createResponseReader } from './response-reader'

export type LoadTask = {
  url: string
  headers?: Record<string, string>
  connections: number
  seconds: number
  expectedStatus?: number
}

/** Times in milliseconds. */
export type LoadResult = {
  perSecond: number
  p50: number
  p95: number
  p99: number
  /** The distinct statuses. */
  statuses: number[]
}

/** Why requests were not answered. */
export type LoadFailure = { message: string }

/** Of all connections, because what was read is looked at before anything else is. */
const buffer = Buffer.alloc(256 * 1024)

process.on('message', (task: LoadTask) => void answer(task))
process.on('disconnect', () => process.exit())
process.send?.({})

async function answer(task: LoadTask): Promise<void> {
  // The process goes on, so that one row that fails does not keep the others from being measured.
  process.send?.(await run(task).catch(({ message }: Error): LoadFailure => ({ message })))
}

async function run(task: LoadTask): Promise<LoadResult> {
  const times: number[] = []
  const statuses = new Set<number>()
  const started = performance.now()
  const until = started + task.seconds * 1_000
  const note = (status: number, ms: number) => {
    statuses.add(status)
    times.push(ms)
  }
  const connections = Array.from({ length: task.connections }, () => repeat(task, until, note))
  await Promise.all(connections)
  const seconds = (performance.now() - started) / 1_000
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    statuses: [...statuses],
  }
}

/** Sends one request after the other over one connection. */
function repeat(
  { url, headers = {} }: LoadTask,
  until: number,
  note: (status: number, ms: number) => void,
): Promise<void> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  return new Promise((resolve, reject) => {
    let sentAt = 0
    const reader = createResponseReader()
    const send = (socket: Socket) => {
      sentAt = performance.now()
      socket.write(request)
    }
    const read = (bytes: number) => {
      const status = reader.read(buffer.subarray(0, bytes))
      if (status === undefined) return true
      note(status, performance.now() - sentAt)
      if (performance.now() < until) send(socket)
      else socket.end(resolve)
      return true
    }
    const onread = { buffer, callback: read }
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
    socket.once('connect', () => send(socket))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`${url} closed the connection`)))
  })
}
