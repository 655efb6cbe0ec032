import type { AlertKind } from '../../../../shared/alerts'
import type { Role } from '../../../../shared/constants'
import type { Db } from '../../../db/open'
import { CAN_SIGN_IN, COMPANY_ID } from '../../../db/queries-kit/expressions'
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
    .leftJoin('mailAddresses', (join) =>
      join.onRef('mailAddresses.userId', '=', 'users.id').on(CAN_SIGN_IN),
    )
    .innerJoin('users as company', (join) => join.on('company.id', '=', COMPANY_ID))
    .select(['users.id', 'company.role', 'mailAddresses.address'])
    .select(['bell.isWanted as bellChoice', 'mail.isWanted as mailChoice'])
    .$narrowType<{ role: Role }>()
    .where('users.isActive', '=', true)
    .where('company.isActive', '=', true)
    .where('users.id', '>', afterId)
    .where('company.role', 'in', roles)
    .where(({ or, eb, selectFrom }) => {
      const retailers = selectFrom('retailers')
        .select('userId')
        .where('supplierId', '=', event.supplierId ?? 0)
        .$if(event.retailerId !== null, (one) => one.where('id', '=', event.retailerId ?? 0))
      return or([
        eb('users.role', '=', 'SUPER_ADMIN'),
        ...(['users.id', 'users.memberOf'] as const).flatMap((company) => [
          eb(company, '=', event.supplierId),
          eb(company, 'in', retailers),
        ]),
      ])
    })
    .$if(event.details.onlyUserId !== undefined, (one) =>
      one.where('company.id', '=', event.details.onlyUserId ?? 0),
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
