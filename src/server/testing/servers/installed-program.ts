import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
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
export async function signalFamily({ pid: root = 0 }: ChildProcess, signal: NodeJS.Signals) {
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
