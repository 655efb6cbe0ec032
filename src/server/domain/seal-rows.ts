import { inTransaction, type WriteTransaction } from '../db/open'
import { SealError } from '../secrets/secret-box'
import type { Deps } from './deps'

/** How many rows were encrypted, and the keys of those that could not be decrypted. */
export type Sealing = { sealed: number; unreadable: string[] }

type Rows<Row> = {
  pages: AsyncIterable<readonly Row[]>
  /** Whether anything of a row is to be encrypted. */
  isDue(row: Row): boolean
  /** Encrypts a row as it is in this transaction. @throws SealError */
  seal(trx: WriteTransaction, row: Row): Promise<void>
}

/** Encrypts the secrets of rows, a page in each transaction. Repeating it changes nothing more. */
export async function sealRows<Row>(
  deps: Deps,
  { pages, isDue, seal }: Rows<Row>,
): Promise<Sealing> {
  const all: Sealing = { sealed: 0, unreadable: [] }
  for await (const page of pages) {
    const due = page.filter(isDue)
    if (due.length === 0) continue
    const { sealed, unreadable } = await inTransaction(deps.db, async (trx) => {
      const done: Sealing = { sealed: 0, unreadable: [] }
      for (const row of due) {
        const failed = await seal(trx, row).then(() => undefined, toUnreadableKey)
        if (failed === undefined) done.sealed++
        else done.unreadable.push(failed)
      }
      return done
    })
    all.sealed += sealed
    all.unreadable.push(...unreadable)
  }
  return all
}

function toUnreadableKey(error: unknown): string {
  if (error instanceof SealError) return error.keyId
  throw error
}
