import type { z } from 'zod'

import { alertPath, describeAlert } from '../../../../shared/alert-text'
import type { AlertKind, NoticeKind } from '../../../../shared/alerts'
import type { notificationListSchema } from '../../../../shared/schemas/alert'
import { inTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant } from '../../../domain/instant'
import {
  listNotificationRows,
  markNotificationsRead,
  summarizeNotifications,
} from './notifications.queries'

const SHOWN = 50
/** More are shown as this many. */
const MAX_UNREAD = 100

/** Lists what the caller was told of last, newest first. */
export async function listNotifications(
  deps: Deps,
  actor: Actor,
): Promise<z.infer<typeof notificationListSchema>> {
  const rows = await listNotificationRows(deps.db, selfOf(actor).id, SHOWN)
  const { unreadCount } = await summarizeNotifications(deps.db, selfOf(actor).id, MAX_UNREAD)
  const adviseOn = (reason?: string) => withFetchAllowAdvice(actor.role, reason, deps.config)
  const notifications = rows.map(({ id, readAt, createdAt, details, ...event }) => ({
    id,
    kind: event.kind as AlertKind | NoticeKind,
    ...describeAlert(
      { ...event, details: { ...details, reason: adviseOn(details.reason) } },
      actor.role,
    ),
    path: alertPath(actor.role, event),
    createdAt: toInstant(createdAt),
    isRead: readAt !== null,
  }))
  return { notifications, unreadCount }
}

/** The caller's newest notification, and how many are unread. */
export const countNotifications = (deps: Deps, actor: Actor) =>
  summarizeNotifications(deps.db, selfOf(actor).id, MAX_UNREAD)

/** Marks one of the caller's notifications as read, or all of them. */
export function readNotifications(deps: Deps, actor: Actor, id: number | undefined): Promise<void> {
  const readAt = deps.clock.now()
  return inTransaction(deps.db, (trx) =>
    markNotificationsRead(trx, { userId: selfOf(actor).id, id, readAt }),
  )
}
