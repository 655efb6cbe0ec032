import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useEffect, useMemo, useRef } from 'react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { InventoryPreview } from '../../../shared/schemas/file'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import type { ItemOwner } from '../../components/layout/item-link'
import { describeMatches, formatRange } from '../../components/table/describe-matches'
import { ListToolbar } from '../../components/table/list-toolbar'
import { MoreInFile } from '../../components/table/more-in-file'
import { PageSteps } from '../../components/table/page-steps'
import { PreviewTable } from '../../components/table/preview-table'
import { ColumnMenu } from './column-menu'
import { RowsSkeleton } from './rows-skeleton'
import { useBrowsedRows, type RowsWanted } from './use-browsed-rows'
import { useShownColumns } from './use-shown-columns'

import classes from './browse-rows.module.css'

interface BrowseRowsProps
  extends RowsWanted, Pick<InventoryPreview, 'skuColumn' | 'quantityColumn'> {
  onQueryChange: (q: string) => void
  owner?: ItemOwner | undefined
}

/** All rows of a file, with search and pages; see `useBrowsedRows` for whose. */
export function BrowseRows({ onQueryChange, ...props }: BrowseRowsProps) {
  const { source, fileName, q, skuColumn, quantityColumn } = props
  const wanted = { source, fileName, q }
  const browsed = useBrowsedRows(wanted)
  const choice = useShownColumns(source, browsed.latest?.columns ?? [], skuColumn)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={section} aria-label="All rows" className={classes.browse}>
      <ListToolbar
        label="Search rows"
        query={q}
        onQueryChange={onQueryChange}
        filter={<ColumnMenu {...choice} />}
      >
        {browsed.latest && formatCountOf(browsed.latest.rowCount, 'row')}
      </ListToolbar>
      <Rows
        browsed={browsed}
        wanted={wanted}
        shown={choice.shown}
        skuColumn={skuColumn}
        quantityColumn={quantityColumn}
        owner={props.owner}
        onClear={() => onQueryChange('')}
      />
      <div className={classes.pager}>
        <PageSteps
          {...browsed}
          status={q ? describeMatches(browsed, 'row') : describeRows(browsed)}
        />
      </div>
    </section>
  )
}

type Browsed = ReturnType<typeof useBrowsedRows>

interface RowsProps extends Pick<InventoryPreview, 'skuColumn' | 'quantityColumn'> {
  browsed: Browsed
  wanted: RowsWanted
  /** The places of the columns that are shown. */
  shown: readonly number[]
  owner: ItemOwner | undefined
  onClear: () => void
}

function Rows({ browsed, wanted, shown, onClear, ...columns }: RowsProps) {
  const { query, latest, rows, isReading } = browsed
  const names = useMemo(
    () => shown.map((place) => latest?.columns[place] ?? ''),
    [shown, latest?.columns],
  )
  const cells = useMemo(
    () => rows.map((row) => shown.map((place) => row.cells[place] ?? '')),
    [rows, shown],
  )
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
        {...columns}
        columns={names}
        rows={cells}
        mark={wanted.q}
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
