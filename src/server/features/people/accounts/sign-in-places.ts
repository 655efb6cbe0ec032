import type { WriteTransaction } from '../../../db/open'
import {
  deleteSignInPlace,
  listSignInPlaces,
  upsertSignInPlace,
  type SignInPlace,
} from './sign-in-places.queries'

/** More than anybody uses; whoever has more signs in with a new name each time. */
const MAX_SIGN_IN_PLACES = 100

/** Notes where a user signs in. @returns whether it is another place than all before, and not the first one */
export async function noteSignInPlace(trx: WriteTransaction, place: SignInPlace): Promise<boolean> {
  const known = await listSignInPlaces(trx, place.userId)
  const isKnown = known.some(
    ({ program, network }) => program === place.program && network === place.network,
  )
  await upsertSignInPlace(trx, place)
  if (isKnown) return false
  for (const old of known.slice(MAX_SIGN_IN_PLACES - 1)) await deleteSignInPlace(trx, old)
  return known.length > 0
}
