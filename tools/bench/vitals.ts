import { readdir, readFile } from 'node:fs/promises'

import { listTree } from '../../src/e2e/support/process-tree'
import { hasVitals } from '../../src/e2e/support/vitals'
import { Skipped } from './skipped'

const NANOSECONDS = 1_000_000

/** @throws Skipped where processes cannot be looked into */
export function requireVitals(): void {
  if (!hasVitals) throw new Skipped('only measured on Linux')
}

/** The time on a processor of a process and all its descendants, in milliseconds. */
export async function readCpuMs(pid: number): Promise<number> {
  const times = await Promise.all((await listTree(pid)).map(readThreads))
  return times.flat().reduce((sum, time) => sum + time, 0) / NANOSECONDS
}

async function readThreads(pid: number): Promise<number[]> {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder).catch(() => [])
  const read = async (thread: string) => {
    const text = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '')
    return Number(text.split(' ')[0])
  }
  return Promise.all(threads.map(read))
}
