import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Cleanups } from './cleanups'

const STOP_WITHIN_MS = 5_000

/** A process that answers one question at a time. */
type Program<Question, Answer> = {
  /** On which it listens, if it does. */
  port: number
  ask(question: Question): Promise<Answer>
}

/**
 * Starts a program of `programs/` in a process of its own, so that it takes no time from the
 * measurement, and waits until it is ready.
 */
export async function startProgram<Question, Answer>(
  name: string,
  args: readonly string[],
  cleanups: Cleanups,
): Promise<Program<Question, Answer>> {
  const path = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))
  const child = fork(path, args, { execArgv: ['--import', 'tsx'], stdio: 'inherit' })
  const exited = once(child, 'exit')
  cleanups.add(async () => {
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    await exited
    clearTimeout(kill)
  })
  const next = async () => {
    const ended = exited.then(([code]) => {
      throw new Error(`${name} has ended with ${code}`)
    })
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown]
    return message
  }
  const { port = 0 } = (await next()) as { port?: number }
  return {
    port,
    async ask(question) {
      const answer = next()
      child.send(question as object)
      return (await answer) as Answer
    },
  }
}
