import { engineOf } from './engine'
import type { WriteTransaction } from './open'

/**
 * Waits for transactions that name or delete stored files, until this transaction ends: a stored file is
 * deleted only while nobody can name it, and named only while nobody can delete it. Any number may name
 * files at once.
 * @param purpose to `delete`, the first statement of the transaction, so that it sees all names
 */
export async function lockFileNames(
  trx: WriteTransaction,
  purpose: 'delete' | 'name',
): Promise<void> {
  await engineOf(trx).lockFileNames?.(trx, purpose)
}
