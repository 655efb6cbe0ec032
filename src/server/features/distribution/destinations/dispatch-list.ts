import type {
  Dispatch,
  DispatchPage,
  ListDispatchesInput,
} from '../../../../shared/schemas/destination'
import type { DispatchRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { pageDispatchRows } from './dispatches.queries'
import { listMailReports } from './file-mails.queries'
import { loadSentFile, type Of } from './sent-file'

/** Returns one page of what was sent of a file, the newest first. */
export async function listDispatches(
  deps: Deps,
  actor: Actor,
  { id, destinationId, status, ...view }: Of<ListDispatchesInput>,
): Promise<DispatchPage> {
  const file = await loadSentFile(deps.db, actor, id)
  const of = { file, destinationId, status }
  const { rows, ...place } = await pageDispatchRows(deps.db, of, view)
  const mailed = rows.filter(({ kind }) => kind === 'mail').map((row) => row.id)
  const reports = Map.groupBy(await listMailReports(deps.db, mailed), (report) => report.dispatchId)
  const told = rows.map((row) => ({ ...row, answer: withReports(row, reports.get(row.id) ?? []) }))
  return { ...place, rows: told.map((row) => toDispatch(deps, row, actor)) }
}

type ToldReport = Awaited<ReturnType<typeof listMailReports>>[number]

/** What came of a file, and what mail servers reported later. */
function withReports({ answer }: DispatchRow, reports: readonly ToldReport[]): string | null {
  const list = (isOf: (report: ToldReport) => boolean) =>
    reports
      .filter(isOf)
      .map((report) => `${report.username} (${report.answer})`)
      .join(', ')
  const returned = list(({ status }) => status === 'returned')
  const late = list(({ status }) => status !== 'returned')
  const parts = [
    answer,
    returned && `Came back: ${returned}.`,
    late && `Not delivered yet: ${late}.`,
  ]
  return parts.filter(Boolean).join(' ') || null
}

const toDispatch = (deps: Deps, row: DispatchRow, viewer: Actor): Dispatch => ({
  id: row.id,
  destinationId: row.destinationId,
  destinationName: row.destinationName,
  kind: row.kind,
  versionName: row.versionName,
  fileName: row.fileName,
  status: row.status,
  attempts: row.attempts,
  isRepeat: row.isRepeat,
  sizeBytes: row.sizeBytes,
  rowCount: row.rowCount,
  sha256: row.sha256,
  createdAt: toInstant(row.createdAt),
  startedAt: toInstantOrNull(row.startedAt),
  endedAt: toInstantOrNull(row.endedAt),
  nextAttemptAt: toInstantOrNull(row.nextAttemptAt),
  answer: withFetchAllowAdvice(viewer.role, row.answer, deps.config),
})
