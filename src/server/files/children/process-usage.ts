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
    const { ctime, memory } = await pidusage(pid)
    return { cpuMs: ctime, memoryBytes: memory }
  } catch {
    return undefined
  }
}
