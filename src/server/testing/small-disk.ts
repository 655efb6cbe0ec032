import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own that is soon full; only root can make one. */
export type SmallDisk = {
  directory: string
  resize(kib: number): void
  remove(): void
}

/** Undefined where this process may not mount anything. */
export function mountSmallDisk(kib: number): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'stockbridge-disk-'))
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' })
  try {
    mount(`size=${kib}k`)
  } catch {
    rmdirSync(directory)
    return undefined
  }
  return {
    directory,
    resize: (size) => mount(`remount,size=${size}k`),
    remove() {
      execFileSync('umount', [directory])
      rmdirSync(directory)
    },
  }
}
