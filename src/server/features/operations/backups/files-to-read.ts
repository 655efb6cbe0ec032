import { DAY_MS } from '../../../../shared/durations'
import { FILE_SHARES, shareOf, type ReadTimes } from '../../../storage/backup-read-times'
import type { StoredFile } from '../../../storage/file-store'

/** What was read back longer ago is read again: by the next night, it would be a week. */
const DUE_AFTER_MS = 6.5 * DAY_MS

/**
 * Chooses what of a new backup is read back: all files that the newest backup does not have, and of the others the
 * part that was read longest ago, with those whose week is over, as after nights without a backup.
 * @param newest the times of the newest backup; without them everything is read
 * @param now Unix milliseconds
 */
export function chooseFilesToRead(newest: ReadTimes | undefined, now: number): FilesToRead {
  const oldest = newest && newest.indexOf(Math.min(...newest))
  const readTimes = Array.from({ length: FILE_SHARES }, (_, share) => {
    const readAt = newest?.[share]
    const isDue = share === oldest || readAt === undefined || now - readAt > DUE_AFTER_MS
    // A clock that was ahead has written a later time.
    return isDue || readAt > now ? now : readAt
  })
  return {
    readTimes,
    isRead: ({ sha256 }, isShared) => !isShared || readTimes[shareOf(sha256)] === now,
  }
}

export type FilesToRead = {
  /** The times of the new backup. */
  readTimes: ReadTimes
  /** @param isShared whether the newest backup has the file */
  isRead(file: StoredFile, isShared: boolean): boolean
}
