import type { FileFetcher } from '../../fetch/fetch'
import type { NetworkSender } from '../../send/send-file'
import { toFailure } from '../failure'
import { serveParent } from '../serve-parent'
import { AHEAD_BYTES, type FromFetcher, MESSAGE_LIMITS, type ToFetcher } from './messages'
import type { FromSender } from './messages-of-sending'
import { createRemoteHostGate, type RemoteHostGate } from './remote-host-gate'
import { serveSends } from './serve-sends'

/** A fetch that has not ended. */
interface Running {
  abort(): void
  gate: RemoteHostGate
  body?: ReadAhead
}

/** Makes this process fetch and send files for its parent, many at a time. */
export function serveFetches(fetcher: FileFetcher, sender: NetworkSender): void {
  const fetches = new Map<number, Running>()

  async function begin({ id, request }: ToFetcher & { type: 'fetch' }): Promise<void> {
    const aborting = new AbortController()
    const { signal } = aborting
    const gate = createRemoteHostGate((message) => send({ ...message, id }))
    const running: Running = { abort: () => aborting.abort(new Error('The fetch was ended')), gate }
    fetches.set(id, running)
    try {
      const response = await fetcher.fetch({ ...request, hosts: gate, signal })
      if (response.kind === 'unchanged') {
        fetches.delete(id)
        return send({ type: 'response', id, response })
      }
      const { body, ...facts } = response
      running.body = readAhead(body)
      send({ type: 'response', id, response: facts })
    } catch (error) {
      fail(id, error, signal)
    }
  }

  async function sendNext(id: number): Promise<void> {
    try {
      const pieces = await fetches.get(id)?.body?.take()
      if (!pieces) return
      if (pieces.length > 0) return send({ type: 'bytes', id }, pieces)
      fetches.delete(id)
      send({ type: 'ended', id })
    } catch (error) {
      fail(id, error)
    }
  }

  function fail(id: number, error: unknown, signal?: AbortSignal): void {
    if (fetches.delete(id)) send({ type: 'failed', id, failure: toFailure(error, signal) })
  }

  function end(id: number): void {
    fetches.get(id)?.abort()
    fetches.delete(id)
  }

  const send: (message: FromFetcher | FromSender, bytes?: readonly Uint8Array[]) => void =
    serveParent(MESSAGE_LIMITS, (line, bytes) => {
      if (sends.take(line, bytes)) return
      const message = line as ToFetcher
      switch (message.type) {
        case 'fetch':
          return void begin(message)
        case 'next':
          return void sendNext(message.id)
        case 'end':
          return end(message.id)
        case 'entered':
          return fetches.get(message.id)?.gate.admit(message.slot)
        case 'ping':
          return send({ type: 'pong' })
      }
    })
  const sends = serveSends(sender, send)
}

interface ReadAhead {
  /** What has arrived, as soon as there is something; nothing at the end of the body. */
  take(): Promise<Buffer[]>
}

/** Reads a body as it arrives, so that one message carries what came while the one before was on its way. */
function readAhead(body: AsyncIterable<readonly Buffer[]>): ReadAhead {
  let pieces: Buffer[] = []
  let heldBytes = 0
  let end: { error?: unknown } | undefined
  let wake = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()
  async function read() {
    try {
      for await (const arrived of body) {
        pieces.push(...arrived)
        for (const { length } of arrived) heldBytes += length
        wake.resolve()
        if (heldBytes >= AHEAD_BYTES) await room.promise
      }
      end = {}
    } catch (error) {
      end = { error }
    }
    wake.resolve()
  }
  void read()
  return {
    async take() {
      if (pieces.length === 0 && !end) await wake.promise
      if (pieces.length === 0 && end && 'error' in end) throw end.error
      const taken = pieces
      pieces = []
      heldBytes = 0
      wake = Promise.withResolvers()
      room.resolve()
      room = Promise.withResolvers()
      return taken
    },
  }
}
