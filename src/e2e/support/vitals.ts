import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** /proc, which the functions below read, exists only on Linux. */
export const hasVitals = process.platform === 'linux'

const KIB = 1024
export const toMegabytes = (bytes: number) => `${Math.round(bytes / KIB / KIB)} MB`

/** Resident memory of a process in bytes: current, and peak since `resetPeakMemory`. */
export async function readMemory(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
  return { now: read('VmRSS') * KIB, peak: read('VmHWM') * KIB }
}

export const resetPeakMemory = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5')

/** The targets of a process's open file descriptors. */
export async function listDescriptors(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  // A descriptor may have been closed since.
  const links = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => []))
  return (await Promise.all(links)).flat()
}

export const countDescriptors = async (pid: number) => (await listDescriptors(pid)).length
