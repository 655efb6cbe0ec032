import { MEMBER_ROLES_OF, type MemberRole, type Role } from './constants'

/** What a key may be allowed to do. */
export const KEY_SCOPES = ['read', 'write', 'upload', 'feed', 'backup'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** What every key begins with, so that one that was left somewhere is found. */
export const KEY_PREFIX = 'sb_'

export const MAX_KEYS_PER_PERSON = 50
/** So long before its end a key is told of, and so long after it is listed. */
export const KEY_NOTICE_DAYS = 14
export const EXPIRED_KEY_DAYS = 30

const SCOPES_OF: Record<MemberRole, readonly KeyScope[]> = {
  OWNER: ['read', 'write', 'upload', 'feed'],
  EDITOR: ['read', 'write', 'upload', 'feed'],
  VIEWER: ['read', 'feed'],
  BUYER: ['read', 'feed'],
  TECHNICIAN: ['read', 'write'],
}

/** The scopes that do anything in keys of such a person; which calls they allow hangs on the role at each call. */
export function listKeyScopes(role: Role, memberRole: MemberRole): readonly KeyScope[] {
  if (role === 'SUPER_ADMIN') return KEY_SCOPES
  const scopes = MEMBER_ROLES_OF[role].includes(memberRole) ? SCOPES_OF[memberRole] : []
  return role === 'SUPPLIER' ? scopes : scopes.filter((scope) => scope !== 'upload')
}

/** Scopes for which whoever makes a key has to confirm first to be there. */
export const CONFIRMED_SCOPES: readonly KeyScope[] = ['write', 'backup']
