import { formatCountOf, formatDuration, formatFileSize } from '../../../shared/format'
import type { Dispatch } from '../../../shared/schemas/destination'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { useIsPhone } from '../../lib/use-is-phone'
import { DISPATCH_WORDS } from './destination-words'

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
    width: 124,
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
    width: 118,
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
              {formatCountOf(rowCount, 'row')} ·{' '}
              <span className={classes.amount}>{amountOf(dispatch)}</span>
            </div>
            {(dispatch.status !== 'sent' || dispatch.isRepeat) && !isUntold(dispatch) && (
              <Answer {...dispatch} />
            )}
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

const TONES: Record<Dispatch['status'], StatusTone> = {
  waiting: 'busy',
  sent: 'good',
  failed: 'bad',
  skipped: 'neutral',
}

function Status({ status, attempts, nextAttemptAt }: Dispatch) {
  if (status === 'waiting' && attempts > 0) {
    return nextAttemptAt === null ? (
      <StatusBadge tone="busy">Sending</StatusBadge>
    ) : (
      <StatusBadge tone="warn">Retrying</StatusBadge>
    )
  }
  return <StatusBadge tone={TONES[status]}>{DISPATCH_WORDS[status]}</StatusBadge>
}

/** Nothing is known of it but its state. */
const isUntold = ({ answer, attempts, isRepeat }: Dispatch) =>
  answer === null && attempts <= 1 && !isRepeat

function Answer(dispatch: Dispatch) {
  if (isUntold(dispatch)) return '–'
  const { answer, attempts, isRepeat, nextAttemptAt, status } = dispatch
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
    </>
  )
}
