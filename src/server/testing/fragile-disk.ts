import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own that can break: from then on it can only be read. Only root can make one. */
export type FragileDisk = {
  directory: string
  break(): void
  /** Brings it back, as whoever runs the machine would; nothing may have files open there. */
  repair(): void
  remove(): void
}

/** Undefined where no such disk can be made. */
export function mountFragileDisk(sizeBytes: number): FragileDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'stockbridge-disk-'))
  const image = `${directory}.image`
  writeFileSync(image, '')
  truncateSync(image, sizeBytes)
  const mount = () => run('mount', '-o', 'loop', image, directory)
  if (!run('mkfs.ext4', '-q', image) || !mount()) {
    rmdirSync(directory)
    rmSync(image)
    return undefined
  }
  return {
    directory,
    break: () => void run('mount', '-o', 'remount,abort', directory),
    repair() {
      run('umount', directory)
      run('e2fsck', '-p', image)
      mount()
    },
    remove() {
      run('umount', directory)
      rmdirSync(directory)
      rmSync(image)
    },
  }
}

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
