import type { Generated } from 'kysely'

import type { AlertKind, AlertWay, NoticeKind } from '../../../shared/alerts'
import type { DigestPeriod } from '../../../shared/digests'
import type { EventDetails } from '../../../shared/schemas/alert'
import type { DigestBase } from '../stored-json'

/** What an event or a problem is about; null where it is about something else. */
type SubjectColumns = {
  supplierId: number | null
  connectionId: number | null
  retailerId: number | null
}

/** Something that people are told of, written in the transaction of the change. */
export type EventsTable = SubjectColumns & {
  id: Generated<number>
  kind: AlertKind | NoticeKind | 'digest' | 'test'
  details: EventDetails
  createdAt: number
  /** The last user, by id, for whom it has been looked whether and how to tell. */
  fannedOutTo: Generated<number>
  /** When that was done for all users. */
  fannedOutAt: number | null
}

/** The present or last problem of a kind with a subject. */
export type ProblemsTable = SubjectColumns & {
  id: Generated<number>
  kind: AlertKind
  /** The connection or retailer, or else the product, in words. */
  subject: string
  details: EventDetails
  openedAt: number
  lastSeenAt: number
  /** null while it is open. */
  closedAt: number | null
  /** Whether the last that people were told of it is that it is open. */
  isToldOpen: boolean
  /** When to look at a problem that comes and goes again; null for others. */
  settlesAt: number | null
  /** The event that told of it last. */
  eventId: number | null
}

/** An event in a user's list. */
export type NotificationsTable = {
  id: Generated<number>
  userId: number
  eventId: number
  readAt: number | null
}

/** What a user has chosen differently from the default. */
export type AlertChoicesTable = {
  userId: number
  kind: AlertKind
  way: AlertWay
  isWanted: boolean
}

/** Where a user gets e-mail. */
export type MailAddressesTable = {
  userId: number
  /** Confirmed by a link that was sent to it. */
  address: string | null
  pendingAddress: string | null
  /** SHA-256 of the link's token, in hexadecimal; the token itself is stored nowhere. */
  tokenHash: string | null
  tokenExpiresAt: number | null
}

/** How a user gets digests of what has changed. */
export type DigestsTable = {
  userId: number
  /** null: not at all. */
  period: DigestPeriod | null
  /** Of weekly ones; 1 is Monday. */
  weekday: number
  timeZone: string
  /** From how many percent on a changed price counts; null: none does. */
  pricePercent: number | null
  /** The only ones that count; with none, all do. */
  categories: string[]
  /** The files that were told of last. */
  bases: DigestBase[]
  dueAt: number | null
  /** When the last one was made. */
  toldAt: number | null
  /** What has changed before a backup was restored may have been told, and is not told again. */
  skipsUntil: number | null
  leaseToken: string | null
  leaseUntil: number | null
}

export type WebhooksTable = {
  id: Generated<number>
  userId: number
  /** Its origin, and a path that no server has; the whole address in rows that are not encrypted yet. */
  url: string
  /** The whole address, encrypted. */
  sealedUrl: string | null
  /** Signs the requests; encrypted. */
  sealedSecret: string
  kinds: AlertKind[]
  isActive: Generated<boolean>
  /** Whether its receiver took long to answer the last time. */
  isSlow: Generated<boolean>
  /** When the first of its failures in a row was; null since it has answered. */
  failingSince: number | null
  /** When it was switched off because it failed for too long; null unless it still is. */
  switchedOffAt: number | null
  createdAt: number
}

/** An event on its way to an e-mail address or webhook of a user. */
export type OutboxTable = {
  id: Generated<number>
  eventId: number
  userId: number
  /** null for an e-mail. */
  webhookId: number | null
  status: 'waiting' | 'delivered' | 'failed'
  attempts: Generated<number>
  nextAttemptAt: number | null
  lastAttemptAt: number | null
  /** What the last attempt was answered, in words. */
  answer: string | null
  leaseToken: string | null
  leaseUntil: number | null
}
