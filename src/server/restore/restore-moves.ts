import { access, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { syncPath } from '../process/sync-path'
import type { RestoreMove } from './restore-state'

/** Suffixes of the files that move with a database. */
const COMPANIONS = ['', '-wal', '-shm']

export const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Plans to replace `target`. All paths are below its folder, so that files can be renamed. */
export function planMove(target: string, replacedName: string): RestoreMove {
  const [folder, name] = [dirname(target), basename(target)]
  return {
    staged: join(folder, 'restore.tmp', name),
    target,
    aside: join(folder, replacedName, name),
  }
}

/** Creates empty staging folders, after removing those of a crashed restore. */
export async function makeStagingFolders(moves: RestoreMove[]): Promise<void> {
  await removeStagingFolders(moves)
  for (const { staged } of moves) await mkdir(dirname(staged), { recursive: true, mode: 0o700 })
}

export async function removeStagingFolders(moves: RestoreMove[]): Promise<void> {
  for (const { staged } of moves) await rm(dirname(staged), { recursive: true, force: true })
}

/** Moves staged files to their targets. After a crash, calling this again completes the moves. */
export async function carryOutMoves(moves: RestoreMove[]): Promise<void> {
  for (const { staged, target, aside } of moves) {
    // A staged file that is gone has been moved already.
    if (!(await exists(staged))) continue
    for (const suffix of COMPANIONS) await setAside(target + suffix, aside + suffix)
    await rename(staged, target)
    await syncPath(dirname(target))
    await syncPath(dirname(staged))
  }
}

async function setAside(path: string, aside: string): Promise<void> {
  if (!(await exists(path))) return
  const folder = dirname(aside)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(path, aside)
  await syncPath(folder)
  await syncPath(dirname(folder))
}
