import type { WriteTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { recordAudit } from '../../people/audit/record-audit'
import { recordAdministratorsRead } from '../../people/audit/record-read'

/** Returns a function that records that an administrator reads a file that is a retailer's only. */
export const recordMergedFileRead =
  (deps: Deps, actor: Actor, file: 'Merged file' | 'Unmatched items' | 'Matching file') =>
  (): Promise<void> => {
    const { id, username: name } = selfOf(actor)
    const subject = { id, name }
    const read = { action: 'merged-file.read-file', subject, details: { file } } as const
    return recordAdministratorsRead(deps, actor, read)
  }

type Verb = 'save' | 'remove' | 'create-address' | 'revoke-addresses' | 'save-matching'
type Changes = { before?: Record<string, unknown>; after?: Record<string, unknown> }

/** Records what was done with the merged file of a retailer's login. */
export const auditMergedFile = (
  trx: WriteTransaction,
  deps: Deps,
  verb: Verb,
  { id, username }: { id: number; username: string },
  changes: Changes = {},
): Promise<void> =>
  recordAudit(trx, deps, {
    action: `merged-file.${verb}`,
    subject: { id, name: username },
    ...changes,
  })
