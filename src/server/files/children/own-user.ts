import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** User ids that neither systems nor systemd give away. */
const FIRST_USER = 60_600
const USERS = 500

const OPTION = '--user='

/**
 * The arguments by which a child takes a user id of its own, so that it can neither signal this process and its
 * siblings nor open what belongs to them. None where that is impossible: only root may change its user, and
 * another user must be able to read the child's program and packages.
 */
export function toOwnUser(code: string[]): string[] {
  return isRoot() && code.every(isOpenToOthers) ? [`${OPTION}${FIRST_USER + randomInt(USERS)}`] : []
}

/** Whether children of root stay root, because nobody else can read their code. */
export const isBoundToRoot = (code: string[]): boolean => isRoot() && !code.every(isOpenToOthers)

const isRoot = () => process.getuid?.() === 0

/** Gives up root for good, as `toOwnUser` says. To be called once all modules are loaded. */
export function takeOwnUser(): void {
  const option = process.argv.at(-1) ?? ''
  if (!option.startsWith(OPTION)) return
  const user = Number(option.slice(OPTION.length))
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
