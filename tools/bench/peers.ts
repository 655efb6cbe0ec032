import { spawn, spawnSync } from 'node:child_process'

import { Skipped } from './skipped'

/** @throws Skipped naming the first of these programs that the system lacks */
export function requirePrograms(...names: string[]): void {
  const missing = names.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  if (missing) throw new Skipped(`${missing} is not installed`)
}

/** Runs a command of the shell. @returns the seconds it took. @throws when it fails */
export function timeCommand(command: string): Promise<number> {
  const started = performance.now()
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve((performance.now() - started) / 1_000)
      else reject(new Error(`${command} ended with ${code}`))
    })
  })
}
