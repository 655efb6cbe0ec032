import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate file system that can fail, and is read-only from then on. Creating one needs root. */
export type FragileDisk = {
  directory: string
  break(): void
  /** Unmounts, checks and remounts it, as an operator would. No file there may be open. */
  repair(): void
  remove(): void
}

/** Returns undefined where no such file system can be created. */
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
