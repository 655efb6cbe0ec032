import pidusage from 'pidusage'

/** What a process uses, as its operating system tells. */
export interface Usage {
  /** Computing time since it began. */
  cpuMs: number
  /** Resident memory. */
  memoryBytes: number
}

/** Linux tells from files; elsewhere each look is a program of its own. */
export const MEASURE_EVERY_MS = process.platform === 'linux' ? 100 : 1_000

/** undefined for a process that is gone. */
export async function measureProcess(pid: number): Promise<Usage | undefined> {
  try {
    const { ctime, memory } = await pidusage(pid)
    return { cpuMs: ctime, memoryBytes: memory }
  } catch {
    return undefined
  }
}
