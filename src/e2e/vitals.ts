import { readdir, readFile, writeFile } from 'node:fs/promises'

/** Only Linux tells what a process takes of the machine. */
export const hasVitals = process.platform === 'linux'

const KIB = 1024
export const toMegabytes = (bytes: number) => `${Math.round(bytes / KIB / KIB)} MB`

/** The memory that a process takes, in bytes: now, and at its most since `forgetPeak`. */
export async function readMemory(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
  return { now: read('VmRSS') * KIB, peak: read('VmHWM') * KIB }
}

export const forgetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5')

/** How many files, sockets and the like a process holds open. */
export async function countDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}
