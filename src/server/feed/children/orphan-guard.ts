import { type ChildProcess, spawn } from 'node:child_process'

/** Reads the ids of living processes, a line each time they change, and kills the last ones. */
const PROGRAM = `
  trap '' INT TERM HUP
  while read -r line; do pids=$line; done
  [ -z "$pids" ] || kill -9 $pids
`

/**
 * Kills child processes when this one has been killed itself, so that one in an endless loop, which
 * cannot notice, does not go on for ever. A small shell waits for that; Windows has none.
 */
export interface OrphanGuard {
  add(pid: number): void
  remove(pid: number): void
  close(): void
}

export function createOrphanGuard(): OrphanGuard {
  const pids = new Set<number>()
  let shell: ChildProcess | undefined
  const tell = () => {
    if (process.platform === 'win32') return
    shell ??= startShell()
    shell.stdin?.write(`${[...pids].join(' ')}\n`)
  }
  return {
    add(pid) {
      pids.add(pid)
      tell()
    },
    remove(pid) {
      pids.delete(pid)
      tell()
    },
    close() {
      shell?.stdin?.end()
      shell = undefined
    },
  }
}

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', PROGRAM], { stdio: ['pipe', 'ignore', 'ignore'], env: {} })
  // Without a shell there is no guard, and nothing else is missing.
  shell.on('error', () => undefined)
  shell.stdin?.on('error', () => undefined)
  shell.unref()
  return shell
}
