import { KEY_NOTICE_DAYS } from '../../../../shared/api-keys'
import { DAY_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { tellPerson } from '../../alerting/alerts/notices'
import { listExpiringApiKeys, markExpiryTold } from '../../people/api-keys/api-keys.queries'

/** Tells each person once of the keys that expire soon, in one notice. */
export async function tellExpiringKeys(deps: Deps): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const period = { after: now, until: now + KEY_NOTICE_DAYS * DAY_MS }
    const byPerson = Map.groupBy(await listExpiringApiKeys(trx, period), ({ userId }) => userId)
    for (const [id, keys] of byPerson) {
      const details = {
        keyNames: keys.map(({ name }) => name),
        until: keys[0]?.expiresAt ?? undefined,
      }
      await tellPerson(trx, deps, { id }, { kind: 'account.keys-expire', details })
      await markExpiryTold(
        trx,
        keys.map((key) => key.id),
        now,
      )
    }
  })
}
