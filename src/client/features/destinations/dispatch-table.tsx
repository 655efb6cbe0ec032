import { formatCountOf, formatDuration, formatFileSize } from '../../../shared/format'
import type { Dispatch } from '../../../shared/schemas/destination'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { useIsPhone } from '../../lib/use-is-phone'

import classes from './dispatches.module.css'

/** A table; on a phone a list with two lines for each. */
export function DispatchTable({ dispatches }: { dispatches: Dispatch[] | undefined }) {
  const isPhone = useIsPhone()
  if (isPhone && dispatches) return <DispatchList dispatches={dispatches} />
  return (
    <DataTable label="Deliveries" columns={COLUMNS} rows={dispatches} rowKey={({ id }) => id} />
  )
}

const COLUMNS: Column<Dispatch>[] = [
  {
    id: 'file',
    header: 'File',
    minWidth: 140,
    cell: ({ fileName, destinationName, destinationId }) => (
      <>
        <Truncated text={fileName} tone="strong" />
        <Truncated
          text={destinationId === null ? `${destinationName}, deleted` : destinationName}
          tone="note"
        />
      </>
    ),
  },
  {
    id: 'status',
    header: 'Result',
    width: 132,
    cell: (dispatch) => (
      <>
        <Status {...dispatch} />
        <div className={classes.note}>
          <TimeAgo instant={timeOf(dispatch)} />
        </div>
      </>
    ),
  },
  {
    id: 'answer',
    header: 'Answer',
    minWidth: 140,
    cell: (dispatch) => <Answer {...dispatch} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    width: 140,
    cell: (dispatch) => (
      <>
        {formatCountOf(dispatch.rowCount, 'row')}
        <div className={classes.amount}>{amountOf(dispatch)}</div>
      </>
    ),
  },
]

function DispatchList({ dispatches }: { dispatches: Dispatch[] }) {
  return (
    <ul className={classes.list} aria-label="Deliveries">
      {dispatches.map((dispatch) => {
        const { id, fileName, destinationName, rowCount } = dispatch
        return (
          <li key={id} className={classes.row}>
            <div className={classes.line}>
              <bdi className={classes.name}>{fileName}</bdi>
              <Status {...dispatch} />
            </div>
            <div className={classes.note}>
              <TimeAgo instant={timeOf(dispatch)} /> · <bdi>{destinationName}</bdi> ·{' '}
              {formatCountOf(rowCount, 'row')} · {amountOf(dispatch)}
            </div>
            {(dispatch.status !== 'sent' || dispatch.isRepeat) && <Answer {...dispatch} />}
          </li>
        )
      })}
    </ul>
  )
}

/** Its size, and how long it took. */
const amountOf = (dispatch: Dispatch) =>
  [formatFileSize(dispatch.sizeBytes, 1), tookOf(dispatch)]
    .filter((fact) => fact !== undefined)
    .join(' · ')

const timeOf = ({ endedAt, startedAt, createdAt }: Dispatch) => endedAt ?? startedAt ?? createdAt

/** How long the last attempt took; undefined before it has ended. */
function tookOf({ startedAt, endedAt, status }: Dispatch): string | undefined {
  if (startedAt === null || endedAt === null || status === 'skipped') return undefined
  return formatDuration(Date.parse(endedAt) - Date.parse(startedAt))
}

const STATES: Record<Exclude<Dispatch['status'], 'waiting'>, { word: string; tone: StatusTone }> = {
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  skipped: { word: 'Skipped', tone: 'neutral' },
}

function Status({ status, attempts, nextAttemptAt }: Dispatch) {
  if (status === 'waiting') {
    if (attempts === 0) return <StatusBadge tone="busy">Waiting</StatusBadge>
    return nextAttemptAt === null ? (
      <StatusBadge tone="busy">Sending</StatusBadge>
    ) : (
      <StatusBadge tone="warn">Retrying</StatusBadge>
    )
  }
  const { word, tone } = STATES[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

function Answer({ answer, attempts, isRepeat, nextAttemptAt, status }: Dispatch) {
  return (
    <>
      {answer !== null && <Truncated text={answer} tone="note" lines={2} />}
      {attempts > 1 && (
        <div className={classes.note}>
          {formatCountOf(attempts, 'try', 'tries')}
          {status === 'waiting' && nextAttemptAt !== null && (
            <>
              , next <TimeAgo instant={nextAttemptAt} />
            </>
          )}
        </div>
      )}
      {isRepeat && <div className={classes.repeat}>Sent again: may have arrived before</div>}
      {answer === null && attempts <= 1 && !isRepeat && '–'}
    </>
  )
}
