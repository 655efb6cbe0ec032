import { Text } from '@mantine/core'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { ProblemList } from '../../components/feedback/problem-list'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { nameOf, type Relation } from './merged-values'

import classes from './merged-file.module.css'

type MergedPart = Relation & { part: NonNullable<Relation['part']> }

/** What the file has of each supplier. */
export function PartsPanel({ file }: { file: ShownMergedFile }) {
  const parts = file.relations.filter((relation): relation is MergedPart => relation.part !== null)
  return (
    <Panel
      isFlush
      title="Parts"
      description="What the file has of each supplier, the preferred one first"
    >
      <DataTable
        label="Parts of the merged file"
        rows={parts}
        rowKey={({ retailerId }) => retailerId}
        columns={COLUMNS}
        renderDetail={({ part }) => hasNotes(part) && <Notes {...part} />}
      />
    </Panel>
  )
}

const COLUMNS: Column<MergedPart>[] = [
  { id: 'supplier', header: 'Supplier', cell: nameOf },
  { id: 'state', header: 'State', width: 170, cell: ({ part }) => <PartState {...part} /> },
  {
    id: 'age',
    header: 'Data from',
    width: 170,
    cell: ({ part: { dataAsOf } }) =>
      dataAsOf === null ? 'None yet' : <TimeAgo instant={dataAsOf} />,
  },
  {
    id: 'rows',
    header: 'Rows',
    align: 'right',
    width: 110,
    cell: ({ part: { rowCount } }) => (rowCount === null ? '' : formatCount(rowCount)),
  },
  { id: 'prefix', header: 'Prefix', width: 120, cell: ({ part: { prefix } }) => prefix },
]

function PartState({ failure, dataAsOf, isStale, isInactive, freshness }: MergedPart['part']) {
  if (failure !== null) return <StatusBadge tone="bad">Cannot be used</StatusBadge>
  if (dataAsOf === null) return <StatusBadge tone="neutral">No file yet</StatusBadge>
  if (isStale) return <StatusBadge tone="bad">Too old: counts as 0</StatusBadge>
  if (isInactive) return <StatusBadge tone="bad">Supplier inactive</StatusBadge>
  if (freshness === 'overdue') return <StatusBadge tone="bad">Overdue</StatusBadge>
  if (freshness === 'late') return <StatusBadge tone="warn">Late</StatusBadge>
  return <StatusBadge tone="good">Current</StatusBadge>
}

const hasNotes = ({ failure, problems, isInactive }: MergedPart['part']) =>
  failure !== null || isInactive || problems.length > 0

function Notes({ failure, problems, isInactive, dataAsOf }: MergedPart['part']) {
  return (
    <div className={classes.notes}>
      {isInactive && (
        <Text fz="sm">
          This supplier is deactivated and publishes nothing more. Its last rows stay in the file
          {dataAsOf === null ? '' : ', with the age shown'}; leave it out under How it is made, or
          let old data count as 0.
        </Text>
      )}
      {failure !== null && (
        <Text fz="sm">
          The newest file cannot be used: {failure}{' '}
          {dataAsOf !== null && 'The part stays as it was.'}
        </Text>
      )}
      {problems.length > 0 && (
        <ProblemList title={formatCountOf(problems.length, 'note')} problems={problems} />
      )}
    </div>
  )
}
