import { readdir, readFile } from 'node:fs/promises'

const KIB = 1024

/** The pids of a process and all its descendants. */
export async function listTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The process may have ended since.
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined)
    if (text) parents.set(Number(name), Number(text.split(') ').at(-1)?.split(' ')[1]))
  }
  const tree = [pid]
  for (const member of tree) {
    for (const [child, parent] of parents) if (parent === member) tree.push(child)
  }
  return tree
}

/**
 * The total memory of processes in bytes, counting memory shared between processes once
 * (proportional set size).
 */
export async function readProportionalMemory(pids: readonly number[]): Promise<number> {
  let bytes = 0
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    bytes += Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * KIB
  }
  return bytes
}
