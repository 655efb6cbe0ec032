import type { FileFetcher } from '../../fetch/fetch'
import type { FetchRequest } from '../../fetch/fetch-context'
import type { FetchedContent } from '../../fetch/fetched-content'
import { FileError } from '../../file-error'
import type { ChildCommand, ChildLink, ChildWatch } from '../child-link'
import { fromFailure } from '../failure'
import { startOnUse } from '../started-on-use'
import { watchLife } from '../watch-life'
import { createHostSlots, type HostSlots } from './host-slots'
import { type FromFetcher, fromFetcherSchema, MESSAGE_LIMITS, type ToFetcher } from './messages'

type FetcherLink = ChildLink<ToFetcher, FromFetcher>
type Response = { kind: 'unchanged' } | FetchedContent

/** Beyond what it had before its first fetch. */
const MAX_MEMORY_BYTES = 200 * 1024 * 1024

/** Fetches files in a child process, which is started by the first fetch, and anew after it has ended. */
export function createFetcherProcess(command: ChildCommand, watch: ChildWatch): FileFetcher {
  const child = startOnUse(
    { command, watch },
    { schema: fromFetcherSchema, limits: MESSAGE_LIMITS },
    createFetcher,
  )
  return {
    async fetch(request) {
      request.signal.throwIfAborted()
      return (await child.use()).fetch(request)
    },
    close: () => child.close(),
  }
}

/** A fetch, as the parent sees it. */
interface Running {
  slots: HostSlots
  /** What it waits for. */
  waiting: PromiseWithResolvers<Head | Bytes>
}

type Head = (FromFetcher & { type: 'response' })['response']
/** Bytes of a body, or undefined at its end. */
type Bytes = readonly Buffer[] | undefined

function createFetcher(link: FetcherLink): FileFetcher {
  const fetches = new Map<number, Running>()
  const life = watchLife(link, {
    maxMemoryBytes: MAX_MEMORY_BYTES,
    hasWork: () => fetches.size > 0,
  })
  let lastId = 0

  const end = (id: number) => {
    fetches.get(id)?.slots.end()
    fetches.delete(id)
  }
  link.listen({
    onMessage(message, bytes) {
      if (message.type === 'pong') return life.note()
      const running = 'id' in message && fetches.get(message.id)
      if (!running) return
      switch (message.type) {
        case 'enter':
          return running.slots.enter(message.slot, message.host)
        case 'leave':
          return running.slots.leave(message.slot)
        case 'response':
          if (message.response.kind === 'unchanged') end(message.id)
          return running.waiting.resolve(message.response)
        case 'bytes':
          return running.waiting.resolve(bytes)
        case 'ended':
          end(message.id)
          return running.waiting.resolve(undefined)
        case 'failed':
          end(message.id)
          return running.waiting.reject(fromFailure(message.failure))
      }
    },
    onExit() {
      life.stop()
      for (const [id, { waiting }] of fetches) {
        end(id)
        waiting.reject(endedUnexpectedly())
      }
    },
  })

  async function fetch({ hosts, signal, ...request }: FetchRequest): Promise<Response> {
    signal.throwIfAborted()
    if (!link.isAlive()) throw endedUnexpectedly()
    const id = ++lastId
    const slots = createHostSlots(hosts, (slot) => link.send({ type: 'entered', id, slot }))
    const running: Running = { slots, waiting: Promise.withResolvers() }
    const reason = () =>
      signal.aborted ? (signal.reason as Error) : new Error('The fetch was ended')
    const leave = () => {
      signal.removeEventListener('abort', leave)
      if (!fetches.has(id)) return
      link.send({ type: 'end', id })
      end(id)
      running.waiting.reject(reason())
    }
    const ask = (message: ToFetcher) => {
      running.waiting = Promise.withResolvers()
      // It may fail before anybody reads on.
      running.waiting.promise.catch(() => undefined)
      if (fetches.has(id)) link.send(message)
      else running.waiting.reject(reason())
      return running.waiting.promise
    }
    async function* read(): AsyncGenerator<readonly Buffer[]> {
      try {
        for (let coming = ask({ type: 'next', id }); ;) {
          const bytes = (await coming) as Bytes
          if (!bytes) return
          coming = ask({ type: 'next', id })
          yield bytes
        }
      } finally {
        leave()
      }
    }
    fetches.set(id, running)
    signal.addEventListener('abort', leave, { once: true })
    try {
      const response = (await ask({ type: 'fetch', id, request })) as Head
      if (response.kind === 'content') {
        return { ...response, body: Object.assign(read(), { destroy: leave }) }
      }
      leave()
      return response
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    fetch,
    async close() {
      life.stop()
      await link.end()
    },
  }
}

function endedUnexpectedly(): FileError {
  return new FileError(
    'connection-lost',
    'Fetching the file ended unexpectedly. It is tried again with the next sync.',
  )
}
