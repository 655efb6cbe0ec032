import { ADDRESS_NOTICE_DAYS } from '../../../../shared/address-protection'
import { DAY_MS } from '../../../../shared/durations'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { tellPerson } from '../../alerting/alerts/notices'
import {
  listAddressKeepers,
  listExpiringFeedAddresses,
  markAddressExpiryTold,
} from '../../distribution/feed-addresses/feed-addresses.queries'

const NAMES = 10

type Expiring = Awaited<ReturnType<typeof listExpiringFeedAddresses>>

/** Tells those who see to feed addresses, of retailers and of their suppliers, once of those that expire soon. */
export async function tellExpiringFeedAddresses(deps: Deps): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const period = { after: now, until: now + ADDRESS_NOTICE_DAYS * DAY_MS }
    const expiring = await listExpiringFeedAddresses(trx, period)
    if (expiring.length === 0) return
    for (const company of ['userId', 'supplierId'] as const) {
      for (const [id, own] of Map.groupBy(expiring, (row) => row[company])) {
        await tellCompany(trx, deps, id, own)
      }
    }
    await markAddressExpiryTold(
      trx,
      expiring.map(({ id }) => id),
      now,
    )
  })
}

async function tellCompany(
  trx: WriteTransaction,
  deps: Deps,
  companyId: number,
  expiring: Expiring,
): Promise<void> {
  const names = expiring.map(({ storeName }) => storeName)
  const details = {
    storeNames: names.length > NAMES ? [...names.slice(0, NAMES), 'others'] : names,
    until: expiring[0]?.validUntil ?? undefined,
  }
  for (const person of await listAddressKeepers(trx, companyId)) {
    await tellPerson(trx, deps, person, { kind: 'account.feeds-expire', details })
  }
}
