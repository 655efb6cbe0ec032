import { MINUTE_MS } from '../../shared/durations'
import type { WriteTransaction } from './open'

/**
 * Ends everything in a restored database that was unfinished when its backup was made: sessions, whose
 * users may have signed out since, invitations and links for new passwords and addresses, which may have been used or
 * withdrawn since, recovery codes, which may have been used, the codes of second factors and the challenges of passkeys until now, leases,
 * and runs, which are recorded as cancelled. Files that were on their way to destinations may have arrived since, so that
 * nothing is sent before something new is published; the same goes for digests of what has changed. Forgets compressed files, which no backup has, the processes that ran then, and which backup was restored before.
 */
export async function cancelUnfinishedWork(trx: WriteTransaction, now: number): Promise<void> {
  await trx.deleteFrom('sessions').execute()
  await trx.deleteFrom('accountMails').execute()
  await trx.deleteFrom('recoveryCodes').execute()
  await trx
    .updateTable('secondFactors')
    .set({ codesTakenUntil: now + MINUTE_MS })
    .execute()
  await trx.updateTable('passkeys').set({ challengesTakenUntil: now }).execute()
  await trx
    .updateTable('mailAddresses')
    .set({ pendingAddress: null, tokenHash: null, tokenExpiresAt: null })
    .execute()
  await trx
    .updateTable('invitations')
    .set({ tokenHash: null, expiresAt: now })
    .where('tokenHash', 'is not', null)
    .execute()
  const released = { leaseToken: null, leaseUntil: null }
  await trx
    .updateTable('connections')
    .set({ ...released, isRunning: false })
    .execute()
  await trx.updateTable('variants').set(released).execute()
  await trx.updateTable('itemHistories').set(released).execute()
  await trx.updateTable('deliveries').set(released).execute()
  await trx
    .updateTable('dispatches')
    .set({
      ...released,
      status: 'skipped',
      nextAttemptAt: null,
      endedAt: now,
      answer: 'It was on its way when the backup was made',
    })
    .where('status', '=', 'waiting')
    .execute()
  await trx.updateTable('destinations').set({ checkAt: null }).execute()
  await trx
    .updateTable('deliveries')
    .set({ status: 'failed', nextAttemptAt: null, answer: 'It waited when the backup was made' })
    .where('status', '=', 'waiting')
    .where('eventId', 'in', (eb) =>
      eb.selectFrom('events').select('id').where('kind', '=', 'digest'),
    )
    .execute()
  await trx
    .updateTable('digests')
    .set({ ...released, skipsUntil: now })
    .execute()
  await trx
    .updateTable('mergedFiles')
    .set({ ...released, checkAt: now })
    .execute()
  await trx.deleteFrom('compressedFiles').execute()
  await trx.deleteFrom('uploads').execute()
  await trx.deleteFrom('processes').execute()
  await trx
    .updateTable('cronJobs')
    .set({ ...released, isRunning: false, requestedAt: null })
    .execute()
  await trx.updateTable('backupDrills').set({ requestedAt: null }).execute()
  await trx.deleteFrom('restores').execute()
  const cancelled = {
    finishedAt: now,
    outcome: 'cancelled',
    error: 'It was running when the backup was made',
  } as const
  await trx.updateTable('syncRuns').set(cancelled).where('finishedAt', 'is', null).execute()
  await trx.updateTable('cronJobRuns').set(cancelled).where('finishedAt', 'is', null).execute()
}
