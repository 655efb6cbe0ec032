import { MINUTE_MS } from '../../../../shared/durations'
import { formatCountOf } from '../../../../shared/format'
import { engineOf } from '../../../db/engine'
import type { CronTask } from '../../../domain/deps'

/** Empties SQLite's write-ahead log, which stays large after a burst of writes. */
export const walCheckpointTask: CronTask = {
  name: 'wal-checkpoint',
  description: 'Moves the latest changes from the database’s log into the database file',
  schedule: '*/5 * * * *',
  timeoutMs: MINUTE_MS,
  async run(deps) {
    const { checkpointLog } = engineOf(deps.db)
    if (!checkpointLog) return 'Nothing to do: this database empties its log by itself'
    const { pages, isEmptied } = await checkpointLog()
    const moved = `${formatCountOf(pages, 'page')} moved`
    return isEmptied ? moved : `${moved}; the log is in use and will be emptied next time`
  },
}
