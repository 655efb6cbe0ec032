import { Button, Stack } from '@mantine/core'

import { DEFAULT_RETAILER_SYNC_FREQUENCY } from '../../../shared/constants'
import { formatCountOf, formatSyncFrequency, pluralize } from '../../../shared/format'
import { DialogActions } from '../../components/dialog/dialog-actions'
import { PendingButton } from '../../components/feedback/pending-button'
import { StatusBadge } from '../../components/feedback/status-badge'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { useFocusOnMount } from '../../lib/use-focus-on-mount'
import type { ListLine } from './read-retailer-list'
import type { CheckedList } from './use-retailer-list'

import classes from './retailer-list.module.css'

interface RetailerListPreviewProps {
  list: CheckedList
  /** Whether they come into a group: then they have of it what the list does not say. */
  isInGroup: boolean
  isPending: boolean
  onBack: () => void
  onAdd: () => void
}

const AS_IN_GROUP = 'As in the group'

const toColumns = (isInGroup: boolean): Column<ListLine>[] => [
  { id: 'storeName', header: 'Store Name', cell: ({ cells }) => cells.storeName || 'N/A' },
  { id: 'line', header: 'Line', align: 'right', width: 72, cell: ({ line }) => line },
  {
    id: 'login',
    header: 'Username and email',
    cell: ({ cells: { username, contactEmail } }) => (
      <TwoLines first={username || contactEmail || 'N/A'} second={contactEmail} />
    ),
  },
  {
    id: 'settings',
    header: 'Sees and updates',
    cell: ({ cells, retailer }) => (
      <TwoLines
        first={cells.categories || (isInGroup ? AS_IN_GROUP : 'All products')}
        second={retailer ? toFrequency(retailer.syncFrequency, isInGroup) : cells.syncFrequency}
      />
    ),
  },
  {
    id: 'result',
    header: 'Result',
    minWidth: 260,
    cell: ({ problems }) => <Result problems={problems} />,
  },
]

const toFrequency = (minutes: number | undefined, isInGroup: boolean): string =>
  isInGroup && minutes === undefined
    ? AS_IN_GROUP
    : formatSyncFrequency(minutes ?? DEFAULT_RETAILER_SYNC_FREQUENCY)

/** What will be added, or why nothing can be; problems come first. */
export function RetailerListPreview({
  list,
  isInGroup,
  isPending,
  onBack,
  onAdd,
}: RetailerListPreviewProps) {
  const back = useFocusOnMount<HTMLButtonElement>()
  const broken = list.lines.filter(({ problems }) => problems.length > 0)
  const fine = list.lines.filter(({ problems }) => problems.length === 0)
  const hasProblems = broken.length > 0
  return (
    <Stack gap="md">
      <output className={classes.summary} data-tone={hasProblems ? 'bad' : 'good'}>
        {hasProblems
          ? `${formatCountOf(broken.length, 'line')} of ${list.lines.length} ${pluralize(broken.length, 'has a problem', 'have problems')}. Nothing is added until all are solved.`
          : `${formatCountOf(fine.length, 'retailer')} can be added. Nothing has been saved yet.`}
      </output>
      <div className={classes.frame}>
        <DataTable
          label="Retailers in the list"
          columns={toColumns(isInGroup)}
          rows={[...broken, ...fine]}
          rowKey={({ line }) => line}
        />
      </div>
      <DialogActions>
        <Button ref={back} variant={hasProblems ? 'filled' : 'default'} onClick={onBack}>
          Back to the list
        </Button>
        {!hasProblems && (
          <PendingButton isPending={isPending} onClick={onAdd}>
            Add {formatCountOf(fine.length, 'retailer')}
          </PendingButton>
        )}
      </DialogActions>
    </Stack>
  )
}

/** The second line in small print, unless it is empty or repeats the first. */
function TwoLines({ first, second }: { first: string; second: string | undefined }) {
  return (
    <>
      <Truncated text={first} />
      {second && second !== first && <Truncated text={second} tone="note" />}
    </>
  )
}

function Result({ problems }: { problems: string[] }) {
  if (problems.length === 0) return <StatusBadge tone="good">Ready</StatusBadge>
  return (
    <ul className={classes.problems}>
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}
