import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

import { receiveMessages, sendMessage } from './lines'
import {
  type FromChild,
  MAX_MESSAGE_BYTES,
  type ToChild,
  type Usage,
  fromChildSchema,
  usageSchema,
} from './messages'

const MAX_USAGE_BYTES = 1_024
/** The end of what a child wrote to standard error, for the log. */
const KEPT_ERROR_CHARACTERS = 4_000

export type ChildCommand = { program: string; args: string[]; env: Record<string, string> }

/** How a child has ended, and the last of what it wrote to standard error. */
export type ChildEnd = { code: number | null; signal: NodeJS.Signals | null; said: string }

type StartedChild = ChildProcessByStdio<Writable, Readable, Readable>

/** A child process as its parent sees it: messages, what it uses, its end. */
export interface ChildLink {
  pid: number
  send(message: ToChild): void
  /** Takes the messages from now on. What the listener throws ends the child. */
  listen(listener: (message: FromChild) => void): void
  /** What the child has told of itself last, and the time of `performance.now()` it came at. */
  usage(): Usage & { toldAt: number }
  kill(): void
  /** No more tasks come: a child without one ends. */
  close(): void
  /** Settles when the child is gone, however it ended. */
  gone: Promise<ChildEnd>
}

/**
 * Starts a child; settles when it is ready.
 * @throws Error when it cannot be started
 */
export async function startChild({ program, args, env }: ChildCommand): Promise<ChildLink> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  const ready = Promise.withResolvers<void>()
  const gone = watchEnd(child)
  let usage = { cpuMs: 0, memoryBytes: 0, toldAt: performance.now() }
  let hasUsage = false
  let isReady = false
  let listener: (message: FromChild) => void = () => undefined

  const settleReady = () => {
    if (isReady && hasUsage) ready.resolve()
  }
  receiveMessages(
    child.stdout,
    MAX_MESSAGE_BYTES,
    guarded(kill, (line) => {
      const message = fromChildSchema.parse(line)
      if (message.type === 'ready') isReady = true
      else listener(message)
      settleReady()
    }),
    kill,
  )
  receiveMessages(
    child.stdio[3] as Readable,
    MAX_USAGE_BYTES,
    guarded(kill, (line) => {
      usage = { ...usageSchema.parse(line), toldAt: performance.now() }
      hasUsage = true
      settleReady()
    }),
    kill,
  )
  // A child that has died is told of by its end.
  child.stdin.on('error', () => undefined)
  child.once('error', ready.reject)
  void gone.then(({ said }) => {
    ready.reject(new Error(`A reading process ended before it was ready: ${said}`))
  })
  await ready.promise
  return {
    pid: child.pid ?? 0,
    send: (message) => sendMessage(child.stdin, message),
    listen(next) {
      listener = next
    },
    usage: () => usage,
    kill,
    close: () => void child.stdin.end(),
    gone,
  }
}

/** A message that cannot be taken ends the child: it is not what it should be. */
function guarded(kill: () => void, take: (line: unknown) => void): (line: unknown) => void {
  return (line) => {
    try {
      take(line)
    } catch {
      kill()
    }
  }
}

function watchEnd(child: StartedChild): Promise<ChildEnd> {
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(-KEPT_ERROR_CHARACTERS)
  })
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null, said }))
    child.once('close', (code, signal) => resolve({ code, signal, said }))
  })
}
