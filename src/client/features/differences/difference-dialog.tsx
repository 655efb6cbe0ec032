import { Modal, Stack } from '@mantine/core'

import { formatCount, pluralize } from '../../../shared/format'
import type { VersionDifference } from '../../../shared/schemas/difference'
import { DefinitionList } from '../../components/definition-list'
import { LoadError } from '../../components/message-state'
import { formatDateTime } from '../../lib/time-format'
import { trpc } from '../../trpc'
import { ColumnChangeList } from './column-change-list'
import { ExampleTable } from './example-table'

import classes from './differences.module.css'

/** A file of the history, as far as it is named here. */
type File = { id: number; createdAt: string }
export type Comparison = { older: File; newer: File }

interface DifferenceDialogProps {
  isOpen: boolean
  connectionId: number
  comparison: Comparison | null
  onClose: () => void
}

/** Shows what differs between two files of a connection. */
export function DifferenceDialog(props: DifferenceDialogProps) {
  const { isOpen, connectionId, comparison, onClose } = props
  return (
    <Modal opened={isOpen} onClose={onClose} title="What Has Changed" size="lg">
      {comparison && <Comparing connectionId={connectionId} {...comparison} />}
    </Modal>
  )
}

function Comparing({ connectionId: id, older, newer }: Comparison & { connectionId: number }) {
  const query = trpc.differences.compare.useQuery(
    { id, olderId: older.id, newerId: newer.id },
    // Stored files never change.
    { staleTime: Infinity },
  )
  return (
    <Stack gap="lg">
      <p className={classes.intro}>
        {`The file of ${formatDateTime(newer.createdAt)}, compared with that of ${formatDateTime(older.createdAt)}.`}
      </p>
      {query.isError ? (
        <LoadError isCompact title="The files could not be compared" query={query} />
      ) : query.data ? (
        <Result {...query.data} />
      ) : (
        <output className={classes.intro}>Comparing the two files …</output>
      )}
    </Stack>
  )
}

function Result({ found }: VersionDifference) {
  if (!found) {
    return (
      <p className={classes.intro}>
        These files cannot be compared row by row: they need the same column of SKUs. You can choose
        it on Data Connections, under Columns, for the files to come.
      </p>
    )
  }
  const { difference, columns } = found
  return (
    <>
      <DefinitionList items={listCounts(difference)} />
      <ColumnChangeList columns={columns} />
      <ExampleTable keyColumn={difference.keyColumn} examples={difference.examples} />
    </>
  )
}

type Found = NonNullable<VersionDifference['found']>

const listCounts = (difference: Found['difference']) => [
  { term: 'Added', value: formatCount(difference.added) },
  { term: 'Removed', value: formatCount(difference.removed) },
  { term: 'Changed', value: formatCount(difference.changed) },
  { term: 'Unchanged', value: formatCount(difference.unchanged) },
  { term: 'Quantity up', value: formatCount(difference.quantityUp) },
  { term: 'Quantity down', value: describeDown(difference) },
]

function describeDown({ quantityDown, newlyZero }: Found['difference']): string {
  if (newlyZero === 0) return formatCount(quantityDown)
  const items = pluralize(newlyZero, 'item')
  return `${formatCount(quantityDown)}, of which ${formatCount(newlyZero)} ${items} to 0`
}
