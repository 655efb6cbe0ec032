import type { Db } from '../../../db/open'

/** Whether a file that was sent to a connection waits to be read, or is being read. */
export async function hasWaitingFile(db: Db, connectionId: number): Promise<boolean> {
  const waiting = await db
    .selectFrom('receivedFiles')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('state', '=', 'waiting')
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}
