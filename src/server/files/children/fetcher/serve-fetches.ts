import type { FileFetcher } from '../../fetch/fetch'
import { toFailure } from '../failure'
import { serveParent } from '../serve-parent'
import { type FromFetcher, MESSAGE_LIMITS, type ToFetcher } from './messages'
import { createRemoteHostGate, type RemoteHostGate } from './remote-host-gate'

/** A fetch that has not ended. */
interface Running {
  abort(): void
  gate: RemoteHostGate
  body?: AsyncIterator<Buffer>
}

/** Makes this process fetch files for its parent, many at a time. */
export function serveFetches(fetcher: FileFetcher): void {
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
      running.body = body[Symbol.asyncIterator]()
      send({ type: 'response', id, response: facts })
    } catch (error) {
      fail(id, error, signal)
    }
  }

  async function sendNext(id: number): Promise<void> {
    try {
      const next = await fetches.get(id)?.body?.next()
      if (!next) return
      if (!next.done) return send({ type: 'bytes', id }, next.value)
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

  const send = serveParent<FromFetcher>(MESSAGE_LIMITS, (line) => {
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
}
