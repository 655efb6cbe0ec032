import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Servers change to a user of their own and so have to be started by root. */
export const isInstalled = (program: string): boolean =>
  process.getuid?.() === 0 && spawnSync('which', [program]).status === 0

export async function untilListening(port: number, requireRunning: () => void) {
  for (;;) {
    requireRunning()
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await sleep(50)
    } finally {
      socket.destroy()
    }
  }
}

/** Signals a process and all that it has started. */
async function signalFamily({ pid: root = 0 }: ChildProcess, signal: NodeJS.Signals) {
  for (const pid of await findFamily(root)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** A process and all that it has started, by their ids. */
async function findFamily(root: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = /\) \S (\d+) /.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const family = [root]
  for (const member of family) {
    for (const [pid, parent] of parents) if (parent === member) family.push(pid)
  }
  return family
}

/** What is done with a server that was started in a folder of its own. */
export function controlServer(
  child: ChildProcess,
  { directory, files }: { directory: string; files: string },
) {
  // Each connection has a process of its own.
  const signalAll = (signal: NodeJS.Signals) => signalFamily(child, signal)
  return {
    async put(name: string, content: string | Buffer, changedAt: Date) {
      const path = join(files, name)
      await writeFile(path, content)
      await chmod(path, 0o644)
      await utimes(path, changedAt, changedAt)
    },
    /** Ends it with all its connections, as a crash would. */
    kill: () => signalAll('SIGKILL'),
    /** Suspends it with its connections open. */
    freeze: () => signalAll('SIGSTOP'),
    /** Lets it go on. */
    thaw: () => signalAll('SIGCONT'),
    async close() {
      const ended =
        child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      await signalAll('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
