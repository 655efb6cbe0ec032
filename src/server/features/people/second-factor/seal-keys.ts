import type { SecondFactorRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { sealRows, type Sealing } from '../../../domain/seal-rows'
import { sealAnew, type SecretBox } from '../../../secrets/secret-box'
import { eachSecondFactor, findSecondFactor, updateSealedKey } from './second-factors.queries'

type SealedKey = Pick<SecondFactorRow, 'userId' | 'sealedKey'>

/** Encrypts the key of a person's app; it cannot be decrypted as that of somebody else. */
export const sealKey = (secrets: SecretBox, userId: number, key: string): string =>
  secrets.seal(key, placeOf(userId))

/** @throws SealError when it cannot be decrypted */
export const openKey = (secrets: SecretBox, { userId, sealedKey }: SealedKey): string =>
  secrets.open(sealedKey, placeOf(userId))

const placeOf = (userId: number) => `second factor of user ${userId}`

/** Encrypts the keys of second factors with the current key. */
export const resealSecondFactors = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachSecondFactor(deps.db),
    isDue: ({ sealedKey }) => !deps.secrets.isCurrent(sealedKey),
    seal: async (trx, { userId }) => {
      const row = await findSecondFactor(trx, userId)
      if (!row) return
      const sealedKey = sealAnew(deps.secrets, row.sealedKey, placeOf(userId))
      await updateSealedKey(trx, { userId, sealedKey })
    },
  })

/** All that is encrypted of a second factor. */
export const listSealedOfFactor = ({ sealedKey }: SecondFactorRow): string[] => [sealedKey]
