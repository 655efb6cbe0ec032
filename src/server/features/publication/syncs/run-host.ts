import { inLossyTransaction, type WriteTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { readHost } from '../../../domain/source-host'
import type { HostGate } from '../../../files/fetch/host-gate'
import { tryToEnter } from './host-gate'
import { deleteHostRequest } from './host-requests.queries'

/** The host that a run enters as it begins, for its first request: mostly it needs no other. */
export type EnteredHost = { name: string; requestId: number }

/** @returns null when it has no address, or has to wait at its host */
export async function enterHost(
  trx: WriteTransaction,
  connection: ConnectionRow,
  startedAt: number,
): Promise<EnteredHost | null> {
  const name = readHost(connection)
  if (name === undefined) return null
  const requestId = await tryToEnter(trx, { host: name, startedAt })
  return requestId === null ? null : { name, requestId }
}

/** May be called again. */
export async function leaveHost(trx: WriteTransaction, entered: EnteredHost | null): Promise<void> {
  if (entered) await deleteHostRequest(trx, entered.requestId)
}

/** The gate for the other requests of a run, which leaves the host of the first one before. */
export function toRunGate({ db, hosts }: Deps, entered: EnteredHost | null): HostGate {
  if (!entered) return hosts
  return {
    async enter(host, signal) {
      await inLossyTransaction(db, (trx) => leaveHost(trx, entered))
      return hosts.enter(host, signal)
    },
  }
}
