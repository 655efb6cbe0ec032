import { readdir, readFile } from 'node:fs/promises'

import { listTree } from '../../src/e2e/support/process-tree'
import { hasVitals } from '../../src/e2e/support/vitals'
import { Skipped } from './skipped'

const NANOSECONDS = 1_000_000
/** Linux tells the time of processes that have ended in hundredths of a second. */
const TICK_MS = 10

/** @throws Skipped where processes cannot be looked into */
export function requireVitals(): void {
  if (!hasVitals) throw new Skipped('only measured on Linux')
}

/** The time on a processor of a process and all its descendants, those that have ended too, in milliseconds. */
export async function readCpuMs(pid: number): Promise<number> {
  const tree = await listTree(pid)
  const times = await Promise.all(tree.map(readThreads))
  const ended = await Promise.all(tree.map(readEnded))
  return sum(times.flat()) / NANOSECONDS + sum(ended)
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The time of a process's children that have ended. */
async function readEnded(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // After its name, which may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * TICK_MS
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
