import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>

/**
 * Creates a separate small file system, which needs root.
 * @returns undefined where this process may not mount anything
 */
export function mountSmallDisk(kib: number) {
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
    resize: (size: number) => mount(`remount,size=${size}k`),
    /** Resizes it to leave this many bytes free. */
    leave(freeBytes: number) {
      for (let attempt = 1; ; attempt++) {
        const { blocks, bfree, bsize } = statfsSync(directory)
        try {
          mount(`remount,size=${(blocks - bfree) * bsize + freeBytes}`)
          return
        } catch (error) {
          // More may have been written meanwhile.
          if (attempt === 100) throw error
        }
      }
    },
    remove() {
      // Lazily, because another process may be reading the folder of temporary files.
      execFileSync('umount', ['--lazy', directory])
      rmdirSync(directory)
    },
  }
}
