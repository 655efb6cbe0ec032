import type { DestinationList } from '../../../../shared/schemas/destination'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { recordDestinationAudit } from './destination-audit'
import { listDestinations, loadDestination } from './destinations'
import { updateDestinationRow } from './destinations.queries'
import { giveUpWaiting } from './dispatches.queries'
import { loadSentFile, subjectOf, type Of } from './sent-file'

/**
 * Sends the newest file to a destination at once, whatever it has; ends a pause.
 * @throws DomainError NOT_FOUND; CONFLICT for one that is off; THROTTLED
 */
export async function sendNow(
  deps: Deps,
  actor: Actor,
  { id, destinationId }: Of<{ destinationId: number }>,
): Promise<DestinationList> {
  const subject = subjectOf(await loadSentFile(deps.db, actor, id))
  await countAttempts(deps, [{ limit: 'tryDestination', subject }])
  await inTransaction(deps.db, async (trx) => {
    const of = await loadSentFile(trx, actor, id)
    const row = await loadDestination(trx, of, destinationId)
    if (!row.isActive) {
      throw new DomainError('CONFLICT', 'This destination is switched off: switch it on first')
    }
    const now = deps.clock.now()
    await giveUpWaiting(trx, row, { answer: 'It was asked for again', now })
    await updateDestinationRow(trx, row, {
      pausedAt: null,
      pausedReason: null,
      checkAt: now,
      // Forgotten, so that nothing counts as sent already.
      sentVersionId: null,
      sentSha256: null,
    })
    await recordDestinationAudit(trx, deps, of, { verb: 'send', id: row.id, name: row.name })
  })
  await wakeScheduler(deps)
  return listDestinations(deps, actor, id)
}
