import type { AlertKind } from '../../../../shared/alerts'
import type { Role } from '../../../../shared/constants'
import type { Db } from '../../../db/open'
import { CAN_SIGN_IN, COMPANY_ID } from '../../../db/queries-kit/expressions'
import { prepare } from '../../../db/queries-kit/prepare'
import type { EventRow } from '../../../db/schema'

/** Whom an event may concern, by role. */
export type Audience = { roles: readonly Role[]; event: EventRow }

/** What is looked at of an event; what is undefined restricts nothing. */
type Concern = {
  kind: AlertKind
  supplierId: number | null
  retailerId: number | undefined
  onlyUserId: number | undefined
  afterId: number
  limit: number
}

const prepareSelection = (roles: readonly Role[]) =>
  prepare((db, { kind, supplierId, retailerId, onlyUserId, afterId, limit }: Concern) =>
    db
      .selectFrom('users')
      .leftJoin('alertChoices as bell', (join) =>
        join
          .onRef('bell.userId', '=', 'users.id')
          .on('bell.kind', '=', kind)
          .on('bell.way', '=', 'bell'),
      )
      .leftJoin('alertChoices as mail', (join) =>
        join
          .onRef('mail.userId', '=', 'users.id')
          .on('mail.kind', '=', kind)
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
        const ofSupplier = selectFrom('retailers')
          .select('userId')
          .where('supplierId', '=', supplierId)
        const retailers =
          retailerId === undefined ? ofSupplier : ofSupplier.where('id', '=', retailerId)
        return or([
          eb('users.role', '=', 'SUPER_ADMIN'),
          // An event of nobody's supplier may be one company's alone.
          ...(onlyUserId === undefined ? [] : [eb('company.id', '=', onlyUserId)]),
          ...(['users.id', 'users.memberOf'] as const).flatMap((company) => [
            eb(company, '=', supplierId),
            eb(company, 'in', retailers),
          ]),
        ])
      })
      .$if(onlyUserId !== undefined, (one) => one.where('company.id', '=', onlyUserId ?? 0))
      .orderBy('users.id')
      .limit(limit),
  )

/** By the roles that are told, of which there are few sets. */
const selections = new Map<string, ReturnType<typeof prepareSelection>>()

/** Lists users whom an event concerns, with their choices, by id after `afterId`. */
export function listRecipients(
  db: Db,
  { roles, event }: Audience,
  page: { afterId: number; limit: number },
) {
  const key = roles.join()
  const select = selections.get(key) ?? prepareSelection(roles)
  selections.set(key, select)
  const { supplierId, retailerId, details } = event
  return select(db, {
    kind: event.kind as AlertKind,
    supplierId,
    retailerId: retailerId ?? undefined,
    onlyUserId: details.onlyUserId,
    ...page,
  }).execute()
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
