import { readFileSync } from 'node:fs'

import pidusage from 'pidusage'

import { system } from '../../process/system'

/** The resources that a process uses, as measured by the operating system. */
export interface Usage {
  /** CPU time since the process started. */
  cpuMs: number
  /** Resident memory. */
  memoryBytes: number
}

export const MEASURE_EVERY_MS = system.hasProcFiles ? 100 : 1_000

/** Returns undefined for a process that has exited. */
export async function measureProcess(pid: number): Promise<Usage | undefined> {
  try {
    if (system.hasProcFiles) return readProcFiles(pid)
    const { ctime, memory } = await pidusage(pid)
    return { cpuMs: ctime, memoryBytes: memory }
  } catch {
    return undefined
  }
}

/** Linux tells times to programs in hundredths of a second. */
const TICK_MS = 10
const KIB = 1024

/**
 * These files are no files of a disk: reading them at once takes a tenth of the time of the library, which goes to
 * another thread for each of seven steps, after each task.
 */
function readProcFiles(pid: number): Usage | undefined {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1')
  const stat = read('stat')
  // After the name of the program, which may have spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(read('status'))?.[1]
  // A process that has exited, and is not yet forgotten, has no memory.
  if (resident === undefined) return undefined
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    memoryBytes: Number(resident) * KIB,
  }
}
