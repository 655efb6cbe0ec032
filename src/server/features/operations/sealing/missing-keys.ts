import { formatCountOf } from '../../../../shared/format'
import type { Deps } from '../../../domain/deps'
import { readKeyId } from '../../../secrets/secret-box'
import { listSealedOfWebhook } from '../../alerting/webhooks/seal-webhooks'
import { eachWebhook } from '../../alerting/webhooks/webhooks.queries'
import { eachConnectionRow } from '../../catalogue/connections/connections.queries'
import { listSealedOfConfig, listSealedOfSource } from '../../catalogue/connections/seal-sources'
import { eachDestination } from '../../distribution/destinations/destinations.queries'
import { listSealedOfFactor } from '../../people/second-factor/seal-keys'
import { eachSecondFactor } from '../../people/second-factor/second-factors.queries'
import { eachMailInbox } from '../../publication/mailed-files/mail-inboxes.queries'
import { listSealedOfMailInbox } from '../../publication/mailed-files/seal-tokens'

/** Returns a warning for each missing encryption key, as after a restore on a new machine. */
export async function describeMissingKeys(deps: Deps): Promise<string[]> {
  const connections = await countMissing(deps, eachConnectionRow(deps.db, {}), listSealedOfSource)
  const webhooks = await countMissing(deps, eachWebhook(deps.db), listSealedOfWebhook)
  const destinations = await countMissing(deps, eachDestination(deps.db), ({ config }) =>
    listSealedOfConfig(config),
  )
  const factors = await countMissing(deps, eachSecondFactor(deps.db), listSealedOfFactor)
  const inboxes = await countMissing(deps, eachMailInbox(deps.db), listSealedOfMailInbox)
  return [
    ...[...connections].map(([keyId, count]) =>
      describe(`The addresses or credentials of ${formatCountOf(count, 'connection')}`, keyId),
    ),
    ...[...webhooks].map(([keyId, count]) =>
      describe(`The addresses or secrets of ${formatCountOf(count, 'webhook')}`, keyId),
    ),
    ...[...destinations].map(([keyId, count]) =>
      describe(`The addresses or credentials of ${formatCountOf(count, 'destination')}`, keyId),
    ),
    ...[...factors].map(([keyId, count]) =>
      describe(`The keys of ${formatCountOf(count, 'second factor')}`, keyId),
    ),
    ...[...inboxes].map(([keyId, count]) =>
      describe(`The mail addresses of ${formatCountOf(count, 'connection')}`, keyId),
    ),
  ]
}

const describe = (what: string, keyId: string) =>
  `${what} were saved with encryption key ${keyId}, which is missing: restore it as ENCRYPTION_KEY, as ENCRYPTION_KEY_PREVIOUS or in DATA_DIR/encryption-key, or have them entered again`

/** Counts the rows that need each key that is missing. */
async function countMissing<Row>(
  { secrets }: Deps,
  pages: AsyncIterable<readonly Row[]>,
  listSealed: (row: Row) => string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const page of pages) {
    for (const row of page) {
      const missing = listSealed(row).filter((sealed) => !secrets.hasKeyOf(sealed))
      for (const keyId of new Set(missing.map(readKeyId))) {
        counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
      }
    }
  }
  return counts
}
