import { type ChildProcess, spawn } from 'node:child_process'

import { system } from '../../process/system'

/** Reads lines with the ids of the running processes; at the end of input, kills those of the last. */
const PROGRAM = `
  trap '' INT TERM HUP
  while read -r line; do pids=$line; done
  [ -z "$pids" ] || kill -9 $pids
`

/**
 * Kills the child processes after this process was killed: a child in an endless loop would not
 * notice and run forever. A small shell process waits for that; there is no guard on Windows.
 */
export interface OrphanGuard {
  add(pid: number): void
  remove(pid: number): void
  close(): void
}

export function createOrphanGuard(): OrphanGuard {
  const pids = new Set<number>()
  let shell: ChildProcess | undefined
  const sendPids = () => {
    if (!system.hasShell) return
    shell ??= startShell()
    shell.stdin?.write(`${[...pids].join(' ')}\n`)
  }
  return {
    add(pid) {
      pids.add(pid)
      sendPids()
    },
    remove(pid) {
      pids.delete(pid)
      sendPids()
    },
    close() {
      shell?.stdin?.end()
      shell = undefined
    },
  }
}

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', PROGRAM], { stdio: ['pipe', 'ignore', 'ignore'], env: {} })
  // Without a shell there is no guard; everything else works.
  shell.on('error', () => undefined)
  shell.stdin?.on('error', () => undefined)
  shell.unref()
  return shell
}
