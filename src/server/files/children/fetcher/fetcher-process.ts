import { SECOND_MS } from '../../../../shared/durations'
import type { FetchRequest, FileFetcher } from '../../fetch/fetch'
import type { FetchedContent } from '../../fetch/fetched-content'
import { FileError } from '../../file-error'
import { type ChildCommand, type ChildExit, type ChildLink, startChild } from '../child-link'
import { fromFailure } from '../failure'
import type { OrphanGuard } from '../orphan-guard'
import { measureProcess } from '../process-usage'
import { createHostSlots, type HostSlots } from './host-slots'
import { type FromFetcher, fromFetcherSchema, MESSAGE_LIMITS, type ToFetcher } from './messages'

type FetcherLink = ChildLink<ToFetcher, FromFetcher>
type Response = { kind: 'unchanged' } | FetchedContent

const CHECK_EVERY_MS = 5 * SECOND_MS
/** A fetcher that has not answered for this long, while it fetches, is stuck. */
const STUCK_MS = 30 * SECOND_MS
/** Beyond what it had before its first fetch. */
const MAX_MEMORY_BYTES = 200 * 1024 * 1024

export interface FetcherProcessOptions {
  command: ChildCommand
  orphanGuard: OrphanGuard
  /** Called for each process that crashed, exited with an error or was killed. */
  onUnexpectedExit: (exit: ChildExit) => void
}

/** Fetches files in a child process, which is started by the first fetch, and anew after it has ended. */
export function createFetcherProcess(options: FetcherProcessOptions): FileFetcher {
  let started: Promise<FileFetcher> | undefined
  async function start(): Promise<FileFetcher> {
    const link = await startChild<ToFetcher, FromFetcher>(
      options.command,
      fromFetcherSchema,
      MESSAGE_LIMITS,
    )
    options.orphanGuard.add(link.pid)
    void forgetOnExit(link)
    return createFetcher(link)
  }
  async function forgetOnExit(link: FetcherLink) {
    const exit = await link.exited
    started = undefined
    options.orphanGuard.remove(link.pid)
    if (exit.code !== 0) options.onUnexpectedExit(exit)
  }
  return {
    async fetch(request) {
      request.signal.throwIfAborted()
      started ??= start().catch((error: unknown) => {
        started = undefined
        throw error
      })
      return (await started).fetch(request)
    },
    async close() {
      const fetcher = await started?.catch(() => undefined)
      await fetcher?.close()
    },
  }
}

/** A fetch, as the parent sees it. */
interface Running {
  slots: HostSlots
  /** What it waits for: the response, or the next bytes of the body; undefined at its end. */
  waiting: PromiseWithResolvers<Response | readonly Buffer[] | undefined>
  body: () => FetchedContent['body']
}

function createFetcher(link: FetcherLink): FileFetcher {
  const fetches = new Map<number, Running>()
  const stopWatching = watchProcess(link, () => fetches.size > 0)
  let lastId = 0

  const end = (id: number) => {
    fetches.get(id)?.slots.end()
    fetches.delete(id)
  }
  link.listen({
    onMessage(message, bytes) {
      if (message.type === 'pong') return stopWatching.noteLife()
      const running = 'id' in message ? fetches.get(message.id) : undefined
      if (!running || !('id' in message)) return
      switch (message.type) {
        case 'enter':
          return running.slots.enter(message.slot, message.host)
        case 'leave':
          return running.slots.leave(message.slot)
        case 'response': {
          const { response } = message
          if (response.kind === 'unchanged') end(message.id)
          return running.waiting.resolve(
            response.kind === 'unchanged' ? response : { ...response, body: running.body() },
          )
        }
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
      stopWatching.stop()
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
    const stop = () => {
      if (!fetches.has(id)) return
      const { waiting } = fetches.get(id)!
      link.send({ type: 'end', id })
      end(id)
      waiting.reject(signal.aborted ? signal.reason : new Error('The fetch was ended'))
    }
    const running: Running = {
      slots: createHostSlots(hosts, (slot) => link.send({ type: 'entered', id, slot })),
      waiting: Promise.withResolvers(),
      body: () => createBody(read, leave),
    }
    const wait = () => {
      running.waiting = Promise.withResolvers()
      // It may fail before anybody reads on.
      running.waiting.promise.catch(() => undefined)
      return running.waiting.promise
    }
    const leave = () => {
      stop()
      signal.removeEventListener('abort', stop)
    }
    async function* read(): AsyncGenerator<readonly Buffer[]> {
      try {
        for (let coming = askNext(); ;) {
          const bytes = await coming
          if (!Array.isArray(bytes)) return
          coming = askNext()
          yield bytes as readonly Buffer[]
        }
      } finally {
        leave()
      }
    }
    const askNext = () => {
      const coming = wait()
      if (fetches.has(id)) link.send({ type: 'next', id })
      return coming
    }
    fetches.set(id, running)
    signal.addEventListener('abort', stop, { once: true })
    const response = wait()
    link.send({ type: 'fetch', id, request })
    try {
      const found = (await response) as Response
      if (found.kind === 'unchanged') leave()
      return found
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    fetch,
    async close() {
      stopWatching.stop()
      link.close()
      const timer = setTimeout(link.kill, 2 * SECOND_MS)
      await link.exited
      clearTimeout(timer)
    },
  }
}

function createBody(read: () => AsyncGenerator<readonly Buffer[]>, destroy: () => void) {
  const reading = read()
  return { [Symbol.asyncIterator]: () => reading, destroy }
}

/** Kills a process that no longer answers, or that takes too much memory, while it has work. */
function watchProcess(link: FetcherLink, hasWork: () => boolean) {
  let startBytes: number | undefined
  let livedAt = performance.now()
  const check = async () => {
    if (!hasWork()) {
      livedAt = performance.now()
      return
    }
    link.send({ type: 'ping' })
    const usage = await measureProcess(link.pid)
    startBytes ??= usage?.memoryBytes ?? 0
    const isTooLarge = (usage?.memoryBytes ?? 0) - startBytes > MAX_MEMORY_BYTES
    if (isTooLarge || performance.now() - livedAt > STUCK_MS) link.kill()
  }
  const timer = setInterval(() => void check(), CHECK_EVERY_MS)
  timer.unref()
  return {
    noteLife() {
      livedAt = performance.now()
    },
    stop: () => clearInterval(timer),
  }
}

function endedUnexpectedly(): FileError {
  return new FileError(
    'connection-lost',
    'Fetching the file ended unexpectedly. It is tried again with the next sync.',
  )
}
