import type { AlertKind } from '../../../../shared/alerts'
import type { Role } from '../../../../shared/constants'
import type { Db } from '../../../db/open'
import type { EventRow } from '../../../db/schema'

/** Whom an event may concern, by role. */
export type Audience = { roles: readonly Role[]; event: EventRow }

/** Lists users whom an event concerns, with their choices, by id after `afterId`. */
export function listRecipients(
  db: Db,
  { roles, event }: Audience,
  { afterId, limit }: { afterId: number; limit: number },
) {
  return db
    .selectFrom('users')
    .leftJoin('alertChoices as bell', (join) =>
      join
        .onRef('bell.userId', '=', 'users.id')
        .on('bell.kind', '=', event.kind as AlertKind)
        .on('bell.way', '=', 'bell'),
    )
    .leftJoin('alertChoices as mail', (join) =>
      join
        .onRef('mail.userId', '=', 'users.id')
        .on('mail.kind', '=', event.kind as AlertKind)
        .on('mail.way', '=', 'mail'),
    )
    .leftJoin('mailAddresses', 'mailAddresses.userId', 'users.id')
    .select(['users.id', 'users.role', 'mailAddresses.address'])
    .select(['bell.isWanted as bellChoice', 'mail.isWanted as mailChoice'])
    .where('users.isActive', '=', true)
    .where('users.id', '>', afterId)
    .where('users.role', 'in', roles)
    .where(({ or, and, eb }) =>
      or([
        eb('users.role', '=', 'SUPER_ADMIN'),
        and([eb('users.role', '=', 'SUPPLIER'), eb('users.id', '=', event.supplierId)]),
        eb('users.id', 'in', (select) =>
          select
            .selectFrom('retailers')
            .select('userId')
            .where('supplierId', '=', event.supplierId ?? 0)
            .$if(event.retailerId !== null, (one) => one.where('id', '=', event.retailerId ?? 0)),
        ),
      ]),
    )
    .$if(event.details.onlyUserId !== undefined, (one) =>
      one.where('users.id', '=', event.details.onlyUserId ?? 0),
    )
    .orderBy('users.id')
    .limit(limit)
    .execute()
}

/** Lists the active webhooks of these users. */
export function listActiveWebhooks(db: Db, userIds: readonly number[]) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'userId', 'kinds'])
    .where('userId', 'in', userIds)
    .where('isActive', '=', true)
    .execute()
}
