import { randomUUID } from 'node:crypto'

import { inTransaction } from '../../../db/open'
import type { RestoreRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isLeasedBy, LEASE_MS, LeaseLostError } from '../../../domain/lease'
import { TAKEN_WITHIN_MS } from './restores'
import { findRestoreRow, updateRestore } from './restores.queries'

/** A restore that this process has taken up. */
export type TakenRestore = Pick<RestoreRow, 'token' | 'backup' | 'requestedById'> & {
  leaseToken: string
}

export const findRestore = ({ db }: Pick<Deps, 'db'>): Promise<RestoreRow | undefined> =>
  findRestoreRow(db)

/** Takes up what was just asked for. @returns undefined when another process has, or it was long ago */
export function takeRestore(deps: Deps, token: string): Promise<TakenRestore | undefined> {
  const leaseToken = randomUUID()
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const row = await findRestoreRow(trx)
    const isOpen = row?.step === 'asked' && now - row.requestedAt < TAKEN_WITHIN_MS
    if (!isOpen || row.token !== token) return undefined
    const lease = { leaseToken, leaseUntil: now + LEASE_MS }
    await updateRestore(trx, token, { ...lease, step: 'staging' })
    return { token, backup: row.backup, requestedById: row.requestedById, leaseToken }
  })
}

/** Extends the lease. Returns false when it was lost. */
export const renewRestore = (deps: Deps, taken: TakenRestore): Promise<boolean> =>
  change(deps, taken, { leaseUntil: deps.clock.now() + LEASE_MS })

/** Tells what is done now. */
export async function reportRestore(
  deps: Deps,
  taken: TakenRestore,
  detail: string,
): Promise<void> {
  await change(deps, taken, { detail })
}

/**
 * Lets all processes stop, and begin no more until the data are replaced, or are known to stay.
 * @throws LeaseLostError
 */
export async function stopForRestore(deps: Deps, taken: TakenRestore): Promise<void> {
  const isStopping = await change(deps, taken, { step: 'stopping', detail: null })
  if (!isStopping) throw new LeaseLostError('Another process restores')
}

/** Tells why nothing was restored. */
export async function failRestore(deps: Deps, token: string, reason: string): Promise<void> {
  const endedAt = deps.clock.now()
  await inTransaction(deps.db, (trx) =>
    updateRestore(trx, token, { step: 'failed', detail: null, endedAt, reason, ...RELEASED }),
  )
}

const RELEASED = { leaseToken: null, leaseUntil: null } as const

function change(
  deps: Deps,
  { token, leaseToken }: TakenRestore,
  changes: Partial<Pick<RestoreRow, 'leaseUntil' | 'detail' | 'step'>>,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const row = await findRestoreRow(trx)
    const now = deps.clock.now()
    if (row?.token !== token || row.step !== 'staging' || !isLeasedBy(row, leaseToken, now)) {
      return false
    }
    await updateRestore(trx, token, changes)
    return true
  })
}
