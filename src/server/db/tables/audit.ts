import type { Generated } from 'kysely'

import type { AuditAction } from '../../../shared/audit-actions'
import type { Role } from '../../../shared/constants'
import type { AuditChange } from '../../../shared/schemas/audit'

/** What somebody did. Rows refer to nothing, because people and their objects may be deleted. */
export type AuditEntriesTable = {
  id: Generated<number>
  at: number
  action: AuditAction
  /** The first part of `action`: the kind of the subject. */
  noun: string
  /** The user, with the name and role of that time; null for commands, jobs and strangers. */
  actorId: number | null
  actorName: string | null
  actorRole: Role | null
  /** The name of the API key by which it was done; null without one. */
  keyName: string | null
  subjectId: number | null
  subjectName: string | null
  /** The supplier whose account, connection or retailer this is about. */
  supplierId: number | null
  /** The changed fields without secrets; null if there are none. */
  changes: AuditChange[] | null
  origin: 'web' | 'script' | 'worker'
  address: string | null
  /** How often it was done; above 1, `at` is the last time and `firstAt` the first. */
  count: Generated<number>
  firstAt: number | null
}

/** An administrator's session that sees the product as another user does; kept until its end is recorded. */
export type ViewAsTable = {
  sessionIdHash: string
  viewerId: number
  userId: number
  endsAt: number
}
