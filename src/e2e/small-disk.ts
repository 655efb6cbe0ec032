import { spawnSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MB = 1024 * 1024

/** Whether this process may mount disks: root on Linux, in most places. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** A disk that a test can fill up without harm to anybody. */
export type SmallDisk = {
  path: string
  /** Fills it to the last byte, or but for `freeBytes`. */
  fill(freeBytes?: number): Promise<void>
  /** Takes what filled it away. */
  clear(): Promise<void>
  remove(): Promise<void>
}

/** undefined where nothing can be mounted, root or not. */
export async function openSmallDisk(sizeBytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'stockbridge-disk-'))
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', path)) return undefined
  const filler = join(path, 'filler')
  return {
    path,
    async fill(freeBytes = 0) {
      await writeUntilFull(filler)
      if (freeBytes === 0) return
      const handle = await open(filler, 'r+')
      await handle.truncate(Math.max((await handle.stat()).size - freeBytes, 0))
      await handle.close()
    },
    clear: () => rm(filler, { force: true }),
    remove: () => unmount(path),
  }
}

async function writeUntilFull(path: string): Promise<void> {
  const handle = await open(path, 'a')
  for (const size of [MB, 4_096, 1]) {
    const block = Buffer.alloc(size)
    for (;;) {
      const isWritten = await handle.write(block).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      )
      if (!isWritten) break
    }
  }
  await handle.close()
}

/** A disk that can break, as ext4 has it: from then on it can only be read. */
export type FragileDisk = {
  path: string
  break(): void
  /** Brings it back, as whoever runs the machine would; nothing may have files open there. */
  repair(): void
  remove(): Promise<void>
}

/** undefined where no such disk can be made. */
export async function openFragileDisk(sizeBytes: number): Promise<FragileDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'stockbridge-disk-'))
  const image = `${path}.image`
  const handle = await open(image, 'w')
  await handle.truncate(sizeBytes)
  await handle.close()
  const mount = () => run('mount', '-o', 'loop', image, path)
  if (!run('mkfs.ext4', '-q', image) || !mount()) return undefined
  return {
    path,
    break: () => void run('mount', '-o', 'remount,abort', path),
    repair() {
      run('umount', path)
      run('e2fsck', '-p', image)
      mount()
    },
    async remove() {
      await unmount(path)
      await rm(image)
    },
  }
}

async function unmount(path: string): Promise<void> {
  run('umount', '--lazy', path)
  await rm(path, { recursive: true })
}

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
