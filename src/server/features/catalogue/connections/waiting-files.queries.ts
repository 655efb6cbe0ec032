import type { Db } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'

const selectWaiting = prepare((db, { connectionId }: { connectionId: number }) =>
  db
    .selectFrom('receivedFiles')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('state', '=', 'waiting')
    .limit(1),
)

/** Whether a file that was sent to a connection waits to be read, or is being read. */
export async function hasWaitingFile(db: Db, connectionId: number): Promise<boolean> {
  return (await selectWaiting(db, { connectionId }).executeTakeFirst()) !== undefined
}
