import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'

import type { z } from 'zod'

import { type MessageLimits, receiveMessages, sendMessage } from './lines'
import type { OrphanGuard } from './orphan-guard'
import { toOwnUser } from './own-user'

/** How much of the end of a child's standard error is kept, for the log. */
const KEPT_STDERR_CHARACTERS = 4_000

/** A child that was asked to stop what it does, or to exit, is killed after this time. */
export const STOP_WITHIN_MS = 2_000

export type ChildCommand = {
  program: string
  args: string[]
  env: Record<string, string>
  /** The folders of its code: where another user can read them, it takes one of its own. */
  code?: string[]
}

/** How a child exited, with the last characters of its standard error. */
export type ChildExit = { code: number | null; signal: NodeJS.Signals | null; stderr: string }

type StartedChild = ChildProcessByStdio<Writable, Readable, Readable>

/** Receives a child's messages. */
interface ChildListener<From> {
  /** The child is killed when this throws. */
  onMessage(message: From, bytes: readonly Buffer[]): void
  onExit(exit: ChildExit): void
}

/** A running child process, as its parent uses it. */
export interface ChildLink<To extends object, From> {
  pid: number
  send(message: To, bytes?: readonly Uint8Array[]): void
  /** What it was sent and has not read. */
  unreadBytes(): number
  /** Replaces the previous listener. */
  listen(listener: ChildListener<From>): void
  isAlive(): boolean
  kill(): void
  /** Closes the child's standard input, which makes it exit, and kills it if it does not; resolves when it has exited. */
  end(): Promise<void>
  /** Resolves when the child has exited, for whatever reason. */
  exited: Promise<ChildExit>
}

/**
 * Starts a child and waits until it is ready.
 * @param schema of its messages; one that is not valid ends it
 * @throws Error when it exits before that
 */
export async function startChild<To extends object, From extends { type: string }>(
  { program, args, env, code }: ChildCommand,
  schema: z.ZodType<From>,
  limits: MessageLimits,
): Promise<ChildLink<To, From>> {
  const ownUser = code ? toOwnUser(code) : []
  const child = spawn(program, [...args, ...ownUser], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  lowerPriority(child.pid)
  const ready = Promise.withResolvers<void>()
  const exited = watchEnd(child)
  let listener: ChildListener<From> | undefined

  const take = (line: unknown, bytes: readonly Buffer[]) => {
    try {
      const message = schema.parse(line)
      if (message.type === 'ready') ready.resolve()
      else listener?.onMessage(message, bytes)
    } catch {
      kill()
    }
  }
  receiveMessages(child.stdout, limits, take, kill)
  // Writing to a child that has exited fails; its exit is reported separately.
  child.stdin.on('error', () => undefined)
  await Promise.race([ready.promise, exited.then(endedEarly)])
  child.once('close', () => void exited.then((exit) => listener?.onExit(exit)))
  return {
    pid: child.pid ?? 0,
    send: (message, bytes) => sendMessage(child.stdin, message, bytes),
    unreadBytes: () => child.stdin.writableLength,
    listen(next) {
      listener = next
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill,
    async end() {
      child.stdin.end()
      const timer = setTimeout(kill, STOP_WITHIN_MS)
      await exited
      clearTimeout(timer)
    },
    exited,
  }
}

/** Who is told of children. */
export interface ChildWatch {
  orphanGuard: OrphanGuard
  /** Called for each process that crashed, exited with an error or was killed. */
  onUnexpectedExit: (exit: ChildExit) => void
}

/** Has a child guarded until it has exited. One that was asked to end exits with 0. */
export async function watchChild(
  { pid, exited }: { pid: number; exited: Promise<ChildExit> },
  { orphanGuard, onUnexpectedExit }: ChildWatch,
): Promise<void> {
  orphanGuard.add(pid)
  const exit = await exited
  orphanGuard.remove(pid)
  if (exit.code !== 0) onUnexpectedExit(exit)
}

/** The process that serves requests goes first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has exited already, or the system does not allow it: tasks run all the same.
  }
}

function endedEarly({ stderr }: ChildExit): never {
  throw new Error(`A child process exited before it was ready: ${stderr}`)
}

function watchEnd(child: StartedChild): Promise<ChildExit> {
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString('utf8')}`.slice(-KEPT_STDERR_CHARACTERS)
  })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, signal: null, stderr: message }))
    child.once('close', (code, signal) => resolve({ code, signal, stderr }))
  })
}
