import type { FileTasks, TaskKind } from '../../file-readers'
import type { TaskRunner } from '../../tasks/task-context'
import {
  type ChildCommand,
  type ChildExit,
  type ChildLink,
  startChild,
  STOP_WITHIN_MS,
} from '../child-link'
import { fromFailure, toFailure } from '../failure'
import { MEASURE_EVERY_MS, measureProcess } from '../process-usage'
import { createFileDesk, DeskRefusal, type FileDesk } from './file-desk'
import {
  type FromReader,
  type ToReader,
  createCategoryList,
  fromReaderSchema,
  MESSAGE_LIMITS,
  resultSchemas,
} from './messages'
import { grantsOf, resultsOf } from './task-grants'
import {
  type LimitWatch,
  type TaskLimits,
  createLimitWatch,
  endedUnexpectedly,
  tookTooMuchMemory,
} from './task-limits'

type ReaderLink = ChildLink<ToReader, FromReader>

type Result<Kind extends TaskKind> = FileTasks[Kind]['result']

/** A file reader process, which runs one task at a time. */
export interface ReaderProcess extends TaskRunner {
  pid: number
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
  const link: ReaderLink = await startChild(command, fromReaderSchema, MESSAGE_LIMITS)
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
    end: link.end,
    async run(kind, task, options) {
      options.signal.throwIfAborted()
      // An idle process takes no time: what was measured at the end of its last task is true.
      const { cpuMs } = usage
      const watch = createLimitWatch(limits, { cpuMs, memoryBytes: warmBytes })
      const stop = stopAtLimits(link, async () => watch.check(await measure()), options.signal)
      const { content } = options
      // What was not compressed is stored as it is read; of anything else only the reader knows the bytes.
      const filled =
        kind === 'ingest' && content?.compression === 'none'
          ? (task as FileTasks['ingest']['task']).drafts.source
          : undefined
      const desk = createFileDesk(grantsOf(kind, task), content, filled)
      try {
        const start = { kind, task, content: content && { ...content, body: undefined }, filled }
        const result = await exchange(link, start, { ...options, watch, desk })
        if (hasWritten(kind, task, result, desk)) return result
        link.kill()
        throw endedUnexpectedly()
      } catch (error) {
        throw stop.reason() ?? error
      } finally {
        stop.clear()
        await desk.close()
        await measure()
      }
    },
  }
}

/** Kills the child when it reaches a limit, or does not abort its task in time when asked to. */
function stopAtLimits(
  link: ReaderLink,
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

type Exchange = Parameters<TaskRunner['run']>[2] & { watch: LimitWatch; desk: FileDesk }

/** Sends the child its task and handles its messages until the task has ended. */
async function exchange<Kind extends TaskKind>(
  link: ReaderLink,
  start: Omit<ToReader & { type: 'start' }, 'type' | 'kind'> & { kind: Kind },
  { signal, onProgress, watch, desk }: Exchange,
): Promise<Result<Kind>> {
  const { promise, resolve, reject } = Promise.withResolvers<Result<Kind>>()
  const categories = createCategoryList()
  const answers = createAnswers(link, desk)
  const onMessage = (message: FromReader, bytes: readonly Buffer[]) => {
    switch (message.type) {
      case 'progress':
        watch.note(message.progress)
        onProgress?.(message.progress)
        break
      case 'ask':
        answers.ask(message, bytes)
        break
      case 'categories':
        categories.add(message.counts)
        break
      case 'failed':
        reject(fromFailure(message.failure, signal))
        break
      case 'done':
        resolve(readResult(start.kind, message.result, categories.counts))
        break
      default:
    }
  }
  link.listen({ onMessage, onExit: (exit) => reject(toExitError(exit, signal)) })
  // If it exited before the listener was added, `onExit` is never called.
  if (!link.isAlive()) reject(new Error('A reader exited before it got its task'))
  link.send({ type: 'start', ...start })
  try {
    return await promise
  } finally {
    await answers.end()
  }
}

/** More than a task asks for at a time. */
const MAX_REQUESTS = 32

/** Answers the requests of a task. Those to write are answered in their order. */
function createAnswers(link: ReaderLink, desk: FileDesk) {
  let open = 0
  let hasEnded = false
  let last = Promise.resolve()
  async function answer({ id, request }: FromReader & { type: 'ask' }, bytes: readonly Buffer[]) {
    try {
      if (hasEnded) return
      const found = await desk.answer(request, bytes)
      if (!hasEnded) link.send({ type: 'answer', id, value: found.value }, found.bytes)
    } catch (error) {
      if (hasEnded) return
      if (error instanceof DeskRefusal) link.kill()
      else link.send({ type: 'refusal', id, failure: toFailure(error) })
    } finally {
      open--
    }
  }
  return {
    ask(message: FromReader & { type: 'ask' }, bytes: readonly Buffer[]): void {
      if (++open > MAX_REQUESTS) throw new Error('Too many requests')
      const { kind } = message.request
      const isFree = kind === 'read' || kind === 'body'
      const answered = isFree ? answer(message, bytes) : last.then(() => answer(message, bytes))
      if (!isFree) last = answered
    },
    /** Resolves when nothing more is written. */
    async end() {
      hasEnded = true
      await last
    },
  }
}

/** Whether what a reader says of the files it has written is what was written: a hash names a stored file. */
function hasWritten<Kind extends TaskKind>(
  kind: Kind,
  task: FileTasks[Kind]['task'],
  result: Result<Kind>,
  desk: FileDesk,
): boolean {
  return resultsOf(kind, task, result).every(([path, { sha256, sizeBytes }]) => {
    const written = desk.finished(path)
    return written?.sha256 === sha256 && written.sizeBytes === sizeBytes
  })
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

/** The error of a task whose process exited; V8 aborts the process when its heap is full. */
function toExitError({ signal: killedBy, stderr }: ChildExit, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const isOutOfMemory = killedBy === 'SIGABRT' || stderr.includes('heap out of memory')
  return isOutOfMemory ? tookTooMuchMemory() : endedUnexpectedly()
}
