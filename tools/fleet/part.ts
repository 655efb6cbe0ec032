import { codeOf } from '../../src/server/process/error-code'

/** A server or a process of the product that can be killed and frozen. */
export type Part = {
  /** As it is told to people: `PostgreSQL`, `web 2`. */
  name: string
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same port with the same data. */
  start(): Promise<void>
  /** Stops all its processes without closing their connections. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** Sends a signal to processes; one that has ended meanwhile is left out. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error
    }
  }
}
