import { NativeSelect, SimpleGrid } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'

import type { ChangeKind } from '../../../shared/constants'
import { formatCount, formatCountOf } from '../../../shared/format'
import type { VersionComparison } from '../../../shared/schemas/comparison'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { DefinitionList } from '../../components/layout/definition-list'
import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { ListToolbar } from '../../components/table/list-toolbar'
import type { ComparisonView } from '../../lib/comparison-view'
import { formatDateTime } from '../../lib/time-format'
import { trpc } from '../../trpc'
import { ChangeSections } from './change-sections'
import { ChangedItems } from './changed-items'
import { ColumnChangeList } from './column-change-list'
import { KindFilter } from './kind-filter'

import classes from './comparison.module.css'

/** A file of the history, as far as it is named here. */
type File = { id: number; fileName: string; createdAt: string; rowCount: number }

interface ComparisonProps {
  connectionId: number
  older: File
  newer: File
  /** All files that can be chosen, with what each is to a person: `Published`. */
  files: (File & { note: string })[]
  view: ComparisonView
  onView: (change: ComparisonView) => void
}

/** What differs between two files of a connection, of which any two can be chosen. */
export function Comparison(props: ComparisonProps) {
  const { connectionId: id, older, newer, files, onView } = props
  const query = trpc.differences.compare.useQuery(
    { id, olderId: older.id, newerId: newer.id },
    // Stored files never change.
    { staleTime: Infinity },
  )
  return (
    <>
      <Panel title="Two files" description="What the second one changes in the first">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs">
          <FileSelect
            label="From"
            files={files}
            chosen={older}
            other={newer}
            onChoose={(from) => onView({ from, to: newer.fileName })}
          />
          <FileSelect
            label="To"
            files={files}
            chosen={newer}
            other={older}
            onChoose={(to) => onView({ to, from: older.fileName })}
          />
        </SimpleGrid>
        {query.data?.found && (
          <div className={classes.counts}>
            <DefinitionList items={listCounts(query.data.found.difference)} />
            <ColumnChangeList columns={query.data.found.columns} />
          </div>
        )}
        {query.data?.found === null && <p className={classes.obstacle}>{query.data.obstacle}</p>}
      </Panel>
      {query.isError ? (
        <Panel title="Changes">
          <LoadError isCompact title="The files could not be compared" query={query} />
        </Panel>
      ) : !query.data ? (
        <Panel title="Changes">
          <LoadingBlock height={220} label="Comparing the two files" />
        </Panel>
      ) : (
        query.data.found && <Changes {...props} found={query.data.found} />
      )}
    </>
  )
}

interface FileSelectProps {
  label: string
  files: ComparisonProps['files']
  chosen: File
  /** The file that it is compared with, which cannot be chosen. */
  other: File
  onChoose: (fileName: string) => void
}

function FileSelect({ label, files, chosen, other, onChoose }: FileSelectProps) {
  return (
    <NativeSelect
      label={label}
      data={files.map(({ id, fileName, createdAt, rowCount, note }) => ({
        value: fileName,
        label: `${formatDateTime(createdAt)} · ${formatCountOf(rowCount, 'row')} · ${note}`,
        disabled: id === other.id,
      }))}
      value={chosen.fileName}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}

type Found = NonNullable<VersionComparison['found']>

function Changes({ found, ...props }: ComparisonProps & { found: Found }) {
  const { connectionId, older, newer, view, onView } = props
  const { difference, sections } = found
  const { kind, q = '' } = view
  const isDifferent = difference.added + difference.removed + difference.changed > 0
  const isFiltered = kind !== undefined || q !== ''
  if (!isDifferent) {
    return (
      <Panel title="Changes">
        <EmptyState isCompact icon={IconEqual} title="No row differs">
          Both files have the same items with the same cells.
        </EmptyState>
      </Panel>
    )
  }
  const onKind = (chosen: ChangeKind | undefined) => onView({ kind: chosen })
  return (
    <>
      <Panel
        isFlush
        title="Changes"
        description={describeScope(found)}
        actions={
          <DownloadLink
            variant="default"
            href={changesAddress(connectionId, { newer, older, kind, q })}
          >
            {isFiltered ? 'Download these changes' : 'Download all changes'}
          </DownloadLink>
        }
      >
        <ListToolbar
          label="Search SKUs"
          query={q}
          onQueryChange={(text) => onView({ q: text || undefined })}
          filter={<KindFilter sections={sections} kind={kind} onChoose={onKind} />}
        />
        {isFiltered ? (
          <ChangedItems
            key={`${older.id} ${newer.id}`}
            connectionId={connectionId}
            olderId={older.id}
            newerId={newer.id}
            kind={kind}
            q={q}
            keyColumn={difference.keyColumn}
            onClear={() => onView(q ? { q: undefined } : { kind: undefined })}
          />
        ) : sections.some(({ count }) => count > 0) ? (
          <ChangeSections
            connectionId={connectionId}
            difference={difference}
            sections={sections}
            onShowAll={onKind}
          />
        ) : (
          <EmptyState isCompact icon={IconEqual} title="No cell differs">
            The rows are written otherwise, or differ only in the columns above.
          </EmptyState>
        )}
      </Panel>
    </>
  )
}

/** Where what differs between two files is downloaded. */
function changesAddress(
  connectionId: number,
  { newer, older, kind, q }: { newer: File; older: File; kind: ChangeKind | undefined; q: string },
): string {
  const [to, from] = [newer, older].map(({ fileName }) => encodeURIComponent(fileName))
  const filter = new URLSearchParams({ ...(kind && { kind }), ...(q && { q }) }).toString()
  return `/api/connections/${connectionId}/files/${to}/changes-from/${from}${filter && `?${filter}`}`
}

/** How many of the changed rows were compared by their cells, unless all were. */
function describeScope({ columns, difference }: Found): string {
  const kinds = 'One section for each kind of change; an item can be in several'
  if (columns.isWhole) return kinds
  return `${kinds}. Cells were compared in ${formatCount(columns.comparedRows)} of the ${formatCount(difference.changed)} changed rows.`
}

const listCounts = (difference: Found['difference']) => [
  { term: 'Added', value: formatCount(difference.added) },
  { term: 'Removed', value: formatCount(difference.removed) },
  { term: 'Changed', value: formatCount(difference.changed) },
  { term: 'Unchanged', value: formatCount(difference.unchanged) },
]
