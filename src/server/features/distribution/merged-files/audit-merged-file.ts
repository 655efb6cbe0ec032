import type { WriteTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { recordAudit } from '../../people/audit/record-audit'

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
