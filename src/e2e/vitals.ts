import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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

/** The files, sockets and the like that a process holds open. */
export async function listDescriptors(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  // One that was closed since is not there any more.
  const links = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => []))
  return (await Promise.all(links)).flat()
}

export const countDescriptors = async (pid: number) => (await listDescriptors(pid)).length
