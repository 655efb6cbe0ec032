import { readdir, readFile } from 'node:fs/promises'

const KIB = 1024

/** A process and all that it has started. */
export async function listTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // One that has ended meanwhile is no part of it any more.
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
 * The memory that processes take of the machine, in bytes: what several of them share counts in
 * each with its part alone.
 */
export async function readSharedOutMemory(pids: readonly number[]): Promise<number> {
  let bytes = 0
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    bytes += Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * KIB
  }
  return bytes
}
