import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { codeOf } from '../process/error-code'
import { syncPath } from '../process/sync-path'

/**
 * Which accounts have been deleted and which API keys ended, kept outside the database: a restored backup may have them again. No name
 * is kept, and nothing is ever removed.
 */
export interface DeletedAccounts {
  /** When this resolves, it is kept whatever happens to the database. */
  add(account: DeletedAccount): Promise<void>
  list(): Promise<DeletedAccount[]>
}

export type DeletedAccount = {
  id: number
  /** A restored database gives ids of later accounts anew, but never with the same time. */
  createdAt: number
  /** `login`: the account is a company that stays, and nobody signs in as it any more; `key`: an API key. */
  what: 'account' | 'login' | 'key'
}

const LINE = /^(account|login|key) (\d{1,15}) (\d{1,15})$/

/** An account or key as a word of which file and object names can be made. */
export const toDeletionLine = ({ what, id, createdAt }: DeletedAccount) =>
  `${what} ${id} ${createdAt}`

/** Returns undefined for another text, such as a line that was cut off by a crash. */
export function parseDeletionLine(line: string): DeletedAccount | undefined {
  const [, what, id, createdAt] = LINE.exec(line) ?? []
  if (what === undefined) return undefined
  return { what: what as DeletedAccount['what'], id: Number(id), createdAt: Number(createdAt) }
}

/** Keeps them in a file of lines. */
export function createDiskDeletedAccounts(path: string): DeletedAccounts {
  return {
    async add(account) {
      const handle = await open(path, 'a', 0o600)
      try {
        // Its own line also after one that a crash has cut off.
        await handle.appendFile(`\n${toDeletionLine(account)}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await syncPath(dirname(path))
    },
    async list() {
      const lines = await readFile(path, 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return ''
        throw error
      })
      return lines
        .split('\n')
        .map(parseDeletionLine)
        .filter((account) => account !== undefined)
    },
  }
}
