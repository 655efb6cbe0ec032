import type { Selectable } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted } from '../../../db/queries-kit/results'
import type { SignInPlacesTable } from '../../../db/tables/accounts'

export type SignInPlace = Selectable<SignInPlacesTable>

/** Lists with which programs and from which networks a user has signed in, the latest first. */
export function listSignInPlaces(db: Db, userId: number): Promise<SignInPlace[]> {
  return db
    .selectFrom('signInPlaces')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('seenAt', 'desc')
    .execute()
}

export async function upsertSignInPlace(trx: WriteTransaction, place: SignInPlace): Promise<void> {
  await trx
    .insertInto('signInPlaces')
    .values(place)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'program', 'network']).doUpdateSet({ seenAt: place.seenAt }),
    )
    .execute()
}

export async function deleteSignInPlace(
  trx: WriteTransaction,
  { userId, program, network }: SignInPlace,
): Promise<void> {
  await trx
    .deleteFrom('signInPlaces')
    .where('userId', '=', userId)
    .where('program', '=', program)
    .where('network', '=', network)
    .execute()
}

/** Deletes those of before, except the latest of each user: nobody signs in for the first time twice. */
export function deleteSignInPlacesBefore(trx: WriteTransaction, before: number): Promise<number> {
  return countDeleted(
    trx
      .deleteFrom('signInPlaces')
      .where('seenAt', '<', before)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('signInPlaces as later')
            .select('later.userId')
            .whereRef('later.userId', '=', 'signInPlaces.userId')
            .whereRef('later.seenAt', '>', 'signInPlaces.seenAt'),
        ),
      ),
  )
}
