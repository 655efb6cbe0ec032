import type { Dispatch } from '../../../../shared/schemas/destination'
import { toCsvTable } from '../../../domain/csv-table'

/** What was sent, for spreadsheets. */
export const DISPATCHES_CSV = toCsvTable<Dispatch>({
  id: ({ id }) => id,
  destination: ({ destinationName }) => destinationName,
  file: ({ fileName }) => fileName,
  version: ({ versionName }) => versionName,
  status: ({ status }) => status,
  'may have arrived before': ({ isRepeat }) => isRepeat,
  attempts: ({ attempts }) => attempts,
  bytes: ({ sizeBytes }) => sizeBytes,
  rows: ({ rowCount }) => rowCount,
  sha256: ({ sha256 }) => sha256,
  made: ({ createdAt }) => createdAt,
  started: ({ startedAt }) => startedAt,
  ended: ({ endedAt }) => endedAt,
  answer: ({ answer }) => answer,
})
