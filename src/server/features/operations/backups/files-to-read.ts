import { DAY_MS } from '../../../../shared/durations'
import { FILE_SHARES, shareOf, type ReadTimes } from '../../../storage/backup-read-times'
import type { StoredFile } from '../../../storage/file-store'

/** What was read back longer ago is read again: by the next night, it would be a week. */
const DUE_AFTER_MS = 6.5 * DAY_MS

/**
 * Chooses what of a new backup is read back: all files that the newest backup does not have, and of the others the
 * part that was read longest ago, with those whose week is over, as after nights without a backup.
 * @param newest the times of the newest backup; without them everything is read
 * @param isShared whether a file is shared with the newest backup
 */
export function chooseFilesToRead(
  files: readonly StoredFile[],
  { newest, isShared, now }: ReadOptions,
): { files: StoredFile[]; readTimes: ReadTimes } {
  const oldest = newest && newest.indexOf(Math.min(...newest))
  const readTimes = Array.from({ length: FILE_SHARES }, (_, share) => {
    const readAt = newest?.[share]
    const isDue = share === oldest || readAt === undefined || now - readAt > DUE_AFTER_MS
    // A clock that was ahead has written a later time.
    return isDue || readAt > now ? now : readAt
  })
  const isRead = (file: StoredFile) => readTimes[shareOf(file.sha256)] === now || !isShared(file)
  return { files: files.filter(isRead), readTimes }
}

type ReadOptions = {
  newest: ReadTimes | undefined
  isShared: (file: StoredFile) => boolean
  /** Unix milliseconds. */
  now: number
}
