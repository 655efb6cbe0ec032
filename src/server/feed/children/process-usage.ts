import pidusage from 'pidusage'

/** The resources that a process uses, as measured by the operating system. */
export interface Usage {
  /** CPU time since the process started. */
  cpuMs: number
  /** Resident memory. */
  memoryBytes: number
}

/** Measuring reads a file on Linux; on other systems it starts a process each time. */
export const MEASURE_EVERY_MS = process.platform === 'linux' ? 100 : 1_000

/** Returns undefined for a process that has exited. */
export async function measureProcess(pid: number): Promise<Usage | undefined> {
  try {
    const { ctime, memory } = await pidusage(pid)
    return { cpuMs: ctime, memoryBytes: memory }
  } catch {
    return undefined
  }
}
