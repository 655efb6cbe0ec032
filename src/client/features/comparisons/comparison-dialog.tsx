import { Group, Modal, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { VersionComparison } from '../../../shared/schemas/comparison'
import { LoadError } from '../../components/feedback/message-state'
import { DefinitionList } from '../../components/layout/definition-list'
import { DownloadLink } from '../../components/layout/download-link'
import { formatDateTime } from '../../lib/time-format'
import { trpc } from '../../trpc'
import { ColumnChangeList } from './column-change-list'
import { ExampleTable } from './example-table'

import classes from './comparison.module.css'

/** A file of the history, as far as it is named here. */
type File = { id: number; fileName: string; createdAt: string; rowCount: number }
/** The files to begin with, of all `files` that can be chosen. */
export type Comparison = { older: File; newer: File; files: File[] }

interface ComparisonDialogProps {
  isOpen: boolean
  connectionId: number
  comparison: Comparison | null
  onClose: () => void
}

/** Shows what differs between two files of a connection, of which any two can be chosen. */
export function ComparisonDialog(props: ComparisonDialogProps) {
  const { isOpen, connectionId, comparison, onClose } = props
  return (
    <Modal opened={isOpen} onClose={onClose} title="What Has Changed" size="lg">
      {comparison && (
        <Comparing
          key={`${comparison.older.id} ${comparison.newer.id}`}
          connectionId={connectionId}
          {...comparison}
        />
      )}
    </Modal>
  )
}

function Comparing({ connectionId: id, files, ...first }: Comparison & { connectionId: number }) {
  const [olderId, setOlderId] = useState(first.older.id)
  const [newerId, setNewerId] = useState(first.newer.id)
  const query = trpc.differences.compare.useQuery(
    { id, olderId, newerId },
    // Stored files never change.
    { staleTime: Infinity },
  )
  const nameOf = (fileId: number) => files.find((file) => file.id === fileId)?.fileName ?? ''
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="xs">
        <FileSelect
          label="From"
          files={files}
          chosen={olderId}
          other={newerId}
          onChoose={setOlderId}
        />
        <FileSelect
          label="To"
          files={files}
          chosen={newerId}
          other={olderId}
          onChoose={setNewerId}
        />
      </SimpleGrid>
      {query.isError ? (
        <LoadError isCompact title="The files could not be compared" query={query} />
      ) : query.data ? (
        <Result data={query.data} address={changesAddress(id, nameOf(newerId), nameOf(olderId))} />
      ) : (
        <output className={classes.intro}>Comparing the two files …</output>
      )}
    </Stack>
  )
}

interface FileSelectProps {
  label: string
  files: File[]
  chosen: number
  /** The file that it is compared with, which cannot be chosen. */
  other: number
  onChoose: (id: number) => void
}

function FileSelect({ label, files, chosen, other, onChoose }: FileSelectProps) {
  return (
    <NativeSelect
      label={label}
      data={files.map(({ id, createdAt, rowCount }) => ({
        value: String(id),
        label: `${formatDateTime(createdAt)} · ${formatCountOf(rowCount, 'row')}`,
        disabled: id === other,
      }))}
      value={String(chosen)}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    />
  )
}

interface ResultProps {
  data: VersionComparison
  /** Where all changes are downloaded. */
  address: string
}

function Result({ data, address }: ResultProps) {
  if (data.found === null) return <p className={classes.intro}>{data.obstacle}</p>
  const { difference, columns } = data.found
  const isDifferent = difference.added + difference.removed + difference.changed > 0
  return (
    <>
      <DefinitionList items={listCounts(difference)} />
      {isDifferent && (
        <Group>
          <DownloadLink href={address} variant="default">
            Download all changes
          </DownloadLink>
        </Group>
      )}
      <ColumnChangeList columns={columns} />
      <ExampleTable keyColumn={difference.keyColumn} examples={difference.examples} />
    </>
  )
}

/** Where what differs between two files is downloaded. */
const changesAddress = (connectionId: number, newer: string, older: string) =>
  `/api/connections/${connectionId}/files/${encodeURIComponent(newer)}/changes-from/${encodeURIComponent(older)}`

type Found = NonNullable<VersionComparison['found']>

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
  return `${formatCount(quantityDown)}, of which ${formatCountOf(newlyZero, 'item')} to 0`
}
