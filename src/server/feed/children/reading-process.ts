import { FeedError } from '../feed-error'
import type { FeedTasks, TaskKind, TaskOptions } from '../feed-reader'
import { type ChildCommand, type ChildEnd, type ChildLink, startChild } from './child-link'
import { type Failure, type FromChild, createCategoryList, resultSchemas } from './messages'
import {
  type LimitWatch,
  type TaskLimits,
  createLimitWatch,
  endedUnexpectedly,
  tookTooMuchMemory,
} from './task-limits'

/** After it was asked to give a task up, or to end, a child has so long until it is killed. */
const STOP_WITHIN_MS = 2_000
const CHECK_EVERY_MS = 100

type Result<Kind extends TaskKind> = FeedTasks[Kind]['result']

/** A process that reads feeds, one task at a time. */
export interface ReadingProcess {
  /** Nothing is written any more once this has settled. */
  run<Kind extends TaskKind>(
    kind: Kind,
    task: FeedTasks[Kind]['task'],
    options: TaskOptions,
  ): Promise<Result<Kind>>
  /** Whether it may be given another task: it lives, and holds little from the last one. */
  isReusable(): boolean
  /** Ends it; settles when it is gone. */
  end(): Promise<void>
  /** Settles when it is gone, whatever for. */
  gone: Promise<ChildEnd>
}

/** Starts a process; settles when it is ready. @throws Error when it cannot be started */
export async function startReadingProcess(
  command: ChildCommand,
  limits: TaskLimits,
): Promise<ReadingProcess> {
  const link = await startChild(command)
  const warmBytes = link.usage().memoryBytes
  let isOver = false
  void link.gone.then(() => {
    isOver = true
  })
  return {
    gone: link.gone,
    isReusable: () =>
      !isOver && link.usage().memoryBytes - warmBytes < limits.memoryBytes / 2,
    async end() {
      isOver = true
      link.close()
      const timer = setTimeout(link.kill, STOP_WITHIN_MS)
      await link.gone
      clearTimeout(timer)
    },
    async run(kind, task, options) {
      options.signal.throwIfAborted()
      const start = { cpuMs: link.usage().cpuMs, memoryBytes: warmBytes }
      const stopped = stopAtLimits(link, createLimitWatch(limits, start), limits, options.signal)
      try {
        return await exchange(link, kind, task, { ...options, watch: stopped.watch })
      } catch (error) {
        throw stopped.reason() ?? error
      } finally {
        stopped.clear()
      }
    },
  }
}

/** Ends the child when it reaches a limit, or does not give its task up when it is asked to. */
function stopAtLimits(
  link: ChildLink,
  watch: LimitWatch,
  { silenceMs }: TaskLimits,
  signal: AbortSignal,
) {
  let reason: Error | undefined
  let abortTimer: NodeJS.Timeout | undefined
  const begunAt = performance.now()
  const stop = (error: Error) => {
    reason ??= error
    link.kill()
  }
  const checkTimer = setInterval(() => {
    const { toldAt, ...usage } = link.usage()
    const silentMs = performance.now() - Math.max(toldAt, begunAt)
    const error = silentMs > silenceMs ? endedUnexpectedly() : watch.check(usage)
    if (error) stop(error)
  }, CHECK_EVERY_MS)
  const onAbort = () => {
    link.send({ type: 'abort' })
    abortTimer = setTimeout(() => stop(signal.reason as Error), STOP_WITHIN_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    watch,
    reason: () => reason,
    clear() {
      clearInterval(checkTimer)
      clearTimeout(abortTimer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Gives the child its task, and takes what it says until it has ended that. */
function exchange<Kind extends TaskKind>(
  link: ChildLink,
  kind: Kind,
  task: FeedTasks[Kind]['task'],
  { signal, onProgress, watch }: TaskOptions & { watch: LimitWatch },
): Promise<Result<Kind>> {
  const { promise, resolve, reject } = Promise.withResolvers<Result<Kind>>()
  const categories = createCategoryList()
  link.listen((message: FromChild) => {
    switch (message.type) {
      case 'progress':
        watch.note(message.progress)
        onProgress?.(message.progress)
        break
      case 'categories':
        categories.add(message.counts)
        break
      case 'failed':
        reject(toError(message.failure, signal))
        break
      case 'done':
        resolve(readResult(kind, message.result, categories.counts))
        break
      default:
    }
  })
  void link.gone.then((end) => reject(toDeathError(end, signal)))
  link.send({ type: 'start', kind, task })
  return promise
}

/** @throws ZodError for what is no result of such a task */
function readResult<Kind extends TaskKind>(
  kind: Kind,
  result: unknown,
  categoryCounts: ReturnType<typeof createCategoryList>['counts'],
): Result<Kind> {
  const read = resultSchemas[kind].parse(result)
  if (!('report' in read)) return read as Result<Kind>
  return { ...read, report: { ...read.report, categoryCounts } } as Result<Kind>
}

function toError(failure: Failure, signal: AbortSignal): unknown {
  switch (failure.kind) {
    case 'feed': {
      const { code, message, line, retryAfterMs } = failure
      return new FeedError(code, message, {
        ...(line !== undefined && { line }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      })
    }
    case 'system':
      return Object.assign(new Error(failure.message), { code: failure.code })
    case 'aborted':
      return signal.aborted ? signal.reason : new Error('A task was given up by itself')
    default:
      return new Error(`Reading a feed failed: ${failure.message}`)
  }
}

/** A process that dies over a file has met what it cannot read; V8 aborts when its heap is full. */
function toDeathError({ signal: killedBy, said }: ChildEnd, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const isOutOfMemory = killedBy === 'SIGABRT' || said.includes('heap out of memory')
  return isOutOfMemory ? tookTooMuchMemory() : endedUnexpectedly()
}
