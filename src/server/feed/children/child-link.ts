import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'

import { receiveMessages, sendMessage } from './lines'
import { type FromChild, MAX_MESSAGE_BYTES, type ToChild, fromChildSchema } from './messages'

/** The end of what a child wrote to standard error, for the log. */
const KEPT_ERROR_CHARACTERS = 4_000

export type ChildCommand = { program: string; args: string[]; env: Record<string, string> }

/** How a child has ended, and the last of what it wrote to standard error. */
export type ChildExit = { code: number | null; signal: NodeJS.Signals | null; stderr: string }

type StartedChild = ChildProcessByStdio<Writable, Readable, Readable>

/** Hears one child, during one task. */
interface ChildListener {
  /** What it throws ends the child. */
  onMessage(message: FromChild): void
  onEnd(end: ChildExit): void
}

/** A child process as its parent sees it: messages, what it uses, its end. */
export interface ChildLink {
  pid: number
  send(message: ToChild): void
  /** Takes the place of the listener before. */
  listen(listener: ChildListener): void
  isAlive(): boolean
  kill(): void
  /** No more tasks come: a child without one ends. */
  close(): void
  /** Settles when the child is exited, however it ended. */
  exited: Promise<ChildExit>
}

/**
 * Starts a child; settles when it is ready.
 * @throws Error when it cannot be started
 */
export async function startChild({ program, args, env }: ChildCommand): Promise<ChildLink> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  yieldToOthers(child.pid)
  const ready = Promise.withResolvers<void>()
  const exited = watchEnd(child)
  let listener: ChildListener | undefined

  const take = (line: unknown) => {
    const message = fromChildSchema.parse(line)
    if (message.type === 'ready') ready.resolve()
    else listener?.onMessage(message)
  }
  receiveMessages(child.stdout, MAX_MESSAGE_BYTES, guarded(kill, take), kill)
  // A child that has died is told of by its end.
  child.stdin.on('error', () => undefined)
  await Promise.race([ready.promise, exited.then(endedEarly)])
  child.once('close', () => void exited.then((end) => listener?.onEnd(end)))
  return {
    pid: child.pid ?? 0,
    send: (message) => sendMessage(child.stdin, message),
    listen(next) {
      listener = next
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill,
    close: () => void child.stdin.end(),
    exited,
  }
}

/** The processor is for whoever answers people first. */
function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or may not be slowed down: its task is done all the same.
  }
}

function endedEarly({ stderr }: ChildExit): never {
  throw new Error(`A feed reader process exited before it was ready: ${stderr}`)
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

function watchEnd(child: StartedChild): Promise<ChildExit> {
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString('utf8')}`.slice(-KEPT_ERROR_CHARACTERS)
  })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, signal: null, stderr: message }))
    child.once('close', (code, signal) => resolve({ code, signal, stderr }))
  })
}
