import type { Deps } from '../../../domain/deps'
import { sealRows, type Sealing } from '../../../domain/seal-rows'
import { listSealedOfConfig, resealConfig } from '../../catalogue/connections/seal-sources'
import { destinationOwner } from './destination-address'
import { eachDestination, findDestination, updateDestinationRow } from './destinations.queries'

/** Encrypts the addresses and secrets of destinations with the current key. */
export const resealDestinations = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachDestination(deps.db),
    isDue: ({ config }) =>
      listSealedOfConfig(config).some((sealed) => !deps.secrets.isCurrent(sealed)),
    seal: async (trx, seen) => {
      const row = await findDestination(trx, seen)
      if (!row) return
      const config = resealConfig(deps.secrets, row.config, destinationOwner(row))
      await updateDestinationRow(trx, row, { config })
    },
  })
