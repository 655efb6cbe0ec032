import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** User ids that neither systems nor systemd give away. */
const FIRST_USER = 60_600
const USERS = 500

/**
 * The environment in which a child takes a user id of its own, so that it cannot signal this process, its
 * siblings or open what belongs to them. Empty where that is impossible: only root may change its user, and
 * another user must be able to read the program and its packages.
 */
export function toOwnUser(paths: string[]): Record<string, string> {
  if (process.getuid?.() !== 0 || !paths.every(isOpenToOthers)) return {}
  return { OWN_USER: `${FIRST_USER + randomInt(USERS)}` }
}

/** Gives up root for good, as `toOwnUser` says. To be called once all modules are loaded. */
export function takeOwnUser(): void {
  const user = Number(process.env.OWN_USER)
  if (!user) return
  process.setgroups!([])
  process.setgid!(user)
  process.setuid!(user)
}

/** Whether any user can read in a folder: it and all above it let others pass. */
function isOpenToOthers(folder: string): boolean {
  const parent = dirname(folder)
  const isOpen = (statSync(folder).mode & 0o005) === 0o005
  return isOpen && (parent === folder || isOpenToOthers(parent))
}
