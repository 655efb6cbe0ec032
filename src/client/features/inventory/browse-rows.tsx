import { Button, CloseButton } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

import { formatCount, formatCountOf, formatFileName } from '../../../shared/format'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { describeMatches, formatRange } from '../../components/table/describe-matches'
import { ListToolbar } from '../../components/table/list-toolbar'
import { MoreInFile } from '../../components/table/more-in-file'
import { PageSteps } from '../../components/table/page-steps'
import { PreviewTable } from '../../components/table/preview-table'
import { RowsSkeleton } from './rows-skeleton'
import { useBrowsedRows, type RowsWanted } from './use-browsed-rows'

interface BrowseRowsProps extends RowsWanted {
  onQueryChange: (q: string) => void
  onClose: () => void
}

/** All rows of a file, with search and pages; see `useBrowsedRows` for whose. */
export function BrowseRows({ onQueryChange, onClose, ...wanted }: BrowseRowsProps) {
  const browsed = useBrowsedRows(wanted)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={panel} style={{ scrollMarginBlock: 16 }}>
      <Panel
        isFlush
        title="All rows"
        description={formatFileName(wanted.fileName)}
        actions={<CloseButton aria-label="Close all rows" onClick={onClose} />}
        footer={
          <PageSteps
            {...browsed}
            status={wanted.q ? describeMatches(browsed, 'row') : describeRows(browsed)}
          />
        }
      >
        <ListToolbar label="Search rows" query={wanted.q} onQueryChange={onQueryChange}>
          {browsed.latest && formatCountOf(browsed.latest.rowCount, 'row')}
        </ListToolbar>
        <Rows browsed={browsed} wanted={wanted} onClear={() => onQueryChange('')} />
      </Panel>
    </div>
  )
}

type Browsed = ReturnType<typeof useBrowsedRows>

interface RowsProps {
  browsed: Browsed
  wanted: RowsWanted
  onClear: () => void
}

function Rows({ browsed: { query, latest, rows, isReading }, wanted, onClear }: RowsProps) {
  if (query.isError) {
    const retry = latest ? () => void query.fetchNextPage() : () => void query.refetch()
    return <LoadError title="The rows could not be loaded" query={{ ...query, refetch: retry }} />
  }
  if (!latest || (rows.length === 0 && isReading)) return <RowsSkeleton />
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title={wanted.q ? 'No matching rows' : 'The file has no rows'}
        action={
          wanted.q && (
            <Button variant="default" onClick={onClear}>
              Clear search
            </Button>
          )
        }
      >
        {wanted.q && (
          <>
            No cell contains “<bdi>{wanted.q}</bdi>”.
          </>
        )}
      </EmptyState>
    )
  }
  return (
    <div aria-busy={isReading}>
      <PreviewTable
        label={`Rows of ${wanted.fileName}`}
        columns={latest.columns}
        rows={rows.map(({ cells }) => cells)}
        numbers={rows.map(({ number }) => number)}
        maxHeight="min(70dvh, 720px)"
      />
      <MoreInFile columnCount={latest.columnCount - latest.columns.length} />
    </div>
  )
}

/** `Rows 51–100 of 9,880`. */
function describeRows({ rows, latest }: Browsed): string {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!latest || !first || !last) return ''
  return `Rows ${formatRange(first.number, last.number)} of ${formatCount(latest.rowCount)}`
}
