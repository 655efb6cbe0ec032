import { setTimeout as sleep } from 'node:timers/promises'

/** A server or a process of the product that can be killed and frozen. */
export type Part = {
  /** As it is told to people: `PostgreSQL`, `web 2`. */
  name: string
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same port with the same data. */
  start(): Promise<void>
  /** Stops all its processes without closing their connections. */
  freeze(): void
  thaw(): void
}

/** Sends a signal to processes; one that has ended meanwhile is left out. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** What can happen to a part. */
export type Fault = 'killed' | 'frozen'

/** Lets a fault last for a time, and then the part work again. */
export async function inflict(part: Part, fault: Fault, ms: number): Promise<void> {
  if (fault === 'killed') await part.kill()
  else part.freeze()
  await sleep(ms)
  if (fault === 'killed') await part.start()
  else part.thaw()
}
