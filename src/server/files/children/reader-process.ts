import { FileError } from '../file-error'
import type { FileTasks, TaskKind, TaskOptions } from '../file-readers'
import { type ChildCommand, type ChildExit, type ChildLink, startChild } from './child-link'
import { createHostSlots } from './host-slots'
import { type Failure, type FromChild, createCategoryList, resultSchemas } from './messages'
import { MEASURE_EVERY_MS, measureProcess } from './process-usage'
import {
  type LimitWatch,
  type TaskLimits,
  createLimitWatch,
  endedUnexpectedly,
  tookTooMuchMemory,
} from './task-limits'

/** A child that was asked to abort its task, or to exit, is killed after this time. */
const STOP_WITHIN_MS = 2_000

type Result<Kind extends TaskKind> = FileTasks[Kind]['result']

/** A file reader process, which runs one task at a time. */
export interface ReaderProcess {
  pid: number
  /** The task writes nothing after the promise has settled. */
  run<Kind extends TaskKind>(
    kind: Kind,
    task: FileTasks[Kind]['task'],
    options: TaskOptions,
  ): Promise<Result<Kind>>
  /** Whether it may run another task: it is alive, and uses less than half of the memory limit. */
  isReusable(): boolean
  /** Ends it, by killing it if necessary; resolves when it has exited. */
  end(): Promise<void>
  /** Resolves when it has exited, for whatever reason. */
  exited: Promise<ChildExit>
}

/** Starts a process and waits until it is ready. @throws Error when it cannot be started */
export async function startReaderProcess(
  command: ChildCommand,
  limits: TaskLimits,
): Promise<ReaderProcess> {
  const link = await startChild(command)
  const warm = await measureProcess(link.pid)
  let usage = warm ?? { cpuMs: 0, memoryBytes: 0 }
  const warmBytes = usage.memoryBytes
  const measure = async () => {
    usage = (await measureProcess(link.pid)) ?? usage
    return usage
  }
  return {
    pid: link.pid,
    exited: link.exited,
    isReusable: () => link.isAlive() && usage.memoryBytes - warmBytes < limits.memoryBytes / 2,
    async end() {
      link.close()
      const timer = setTimeout(link.kill, STOP_WITHIN_MS)
      await link.exited
      clearTimeout(timer)
    },
    async run(kind, task, options) {
      options.signal.throwIfAborted()
      const { cpuMs } = await measure()
      const watch = createLimitWatch(limits, { cpuMs, memoryBytes: warmBytes })
      const stop = stopAtLimits(link, async () => watch.check(await measure()), options.signal)
      try {
        return await exchange(link, kind, task, { ...options, watch })
      } catch (error) {
        throw stop.reason() ?? error
      } finally {
        stop.clear()
        await measure()
      }
    },
  }
}

/** Kills the child when it reaches a limit, or does not abort its task in time when asked to. */
function stopAtLimits(
  link: ChildLink,
  check: () => Promise<Error | undefined>,
  signal: AbortSignal,
) {
  let reason: Error | undefined
  let abortTimer: NodeJS.Timeout | undefined
  let checkTimer: NodeJS.Timeout | undefined
  const stop = (error: Error) => {
    reason ??= error
    link.kill()
  }
  const checkLater = () => {
    checkTimer = setTimeout(() => void checkNow(), MEASURE_EVERY_MS)
  }
  const checkNow = async () => {
    const error = await check()
    if (!checkTimer) return
    if (error) stop(error)
    else checkLater()
  }
  const onAbort = () => {
    link.send({ type: 'abort' })
    abortTimer = setTimeout(() => stop(signal.reason as Error), STOP_WITHIN_MS)
  }
  checkLater()
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    reason: () => reason,
    clear() {
      clearTimeout(checkTimer)
      checkTimer = undefined
      clearTimeout(abortTimer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Sends the child its task and handles its messages until the task has ended. */
function exchange<Kind extends TaskKind>(
  link: ChildLink,
  kind: Kind,
  task: FileTasks[Kind]['task'],
  { signal, hosts, onProgress, watch }: TaskOptions & { watch: LimitWatch },
): Promise<Result<Kind>> {
  const { promise, resolve, reject } = Promise.withResolvers<Result<Kind>>()
  const categories = createCategoryList()
  const slots = createHostSlots(hosts, (slot) => link.send({ type: 'entered', slot }))
  const onMessage = (message: FromChild) => {
    switch (message.type) {
      case 'progress':
        watch.note(message.progress)
        onProgress?.(message.progress)
        break
      case 'enter':
        slots.enter(message.slot, message.host)
        break
      case 'leave':
        slots.leave(message.slot)
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
  }
  link.listen({ onMessage, onExit: (exit) => reject(toExitError(exit, signal)) })
  // If it exited before the listener was added, `onExit` is never called.
  if (!link.isAlive()) reject(new Error('A feed reader process exited before it got its task'))
  link.send({ type: 'start', kind, task })
  return promise.finally(slots.end)
}

/** @throws ZodError when this is not a valid result of such a task */
function readResult<Kind extends TaskKind>(
  kind: Kind,
  result: unknown,
  categoryCounts: ReturnType<typeof createCategoryList>['counts'],
): Result<Kind> {
  const read: object = resultSchemas[kind].parse(result)
  if (!('report' in read)) return read as Result<Kind>
  return { ...read, report: { ...(read.report as object), categoryCounts } } as Result<Kind>
}

function toError(failure: Failure, signal: AbortSignal): unknown {
  switch (failure.kind) {
    case 'file': {
      const { code, message, line, retryAfterMs } = failure
      return new FileError(code, message, {
        ...(line !== undefined && { line }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      })
    }
    case 'system':
      return Object.assign(new Error(failure.message), { code: failure.code })
    case 'aborted':
      return signal.aborted ? signal.reason : new Error('A task was aborted without a request')
    default:
      return new Error(`Reading a feed failed: ${failure.message}`)
  }
}

/** The error of a task whose process exited; V8 aborts the process when its heap is full. */
function toExitError({ signal: killedBy, stderr }: ChildExit, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const isOutOfMemory = killedBy === 'SIGABRT' || stderr.includes('heap out of memory')
  return isOutOfMemory ? tookTooMuchMemory() : endedUnexpectedly()
}
