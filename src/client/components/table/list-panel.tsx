import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { ListView } from '../../lib/list-view'
import { EmptyState, LoadError, type FailedQuery } from '../feedback/message-state'
import { DownloadLink } from '../layout/download-link'
import { Panel } from '../layout/panel'
import { ListFooter, needsFooter } from './list-footer'
import { ListToolbar } from './list-toolbar'

import classes from './list-panel.module.css'

interface ListPage<Row> {
  rows: Row[]
  matchCount: number
  totalCount: number
  page: number
  pageCount: number
}

interface ListPanelProps<Row> {
  /** Singular and plural noun, for example `retailer` and `retailers`. */
  one: string
  many: string
  list: FailedQuery & {
    data: ListPage<Row> | undefined
    isError: boolean
    /** The previous page is still shown while the requested one loads. */
    isPlaceholderData: boolean
  }
  view: ListView
  onViewChange: (change: ListView) => void
  /** A choice of rows beside the search; `onClear` clears both. */
  filter?: { control: ReactNode; isOn: boolean; onClear: () => void }
  /** Where the list is exported, as it is searched and filtered. */
  exportHref: string
  /** Shown when the list has no rows at all: what it is for, and the next step. */
  empty: ReactNode
  /** The table; undefined while the first page is loading. */
  children: (rows: Row[] | undefined) => ReactNode
}

/** A server-paged list with its states: loading, error, empty, no matches, filled. */
export function ListPanel<Row>(props: ListPanelProps<Row>) {
  const { one, many, list, view, filter, onViewChange } = props
  const isFiltered = Boolean(view.q) || filter?.isOn === true
  const page = list.data
  // Rows from an earlier fetch stay on screen when a refetch fails.
  const isMissing = list.isError && page === undefined
  if (page?.totalCount === 0) return <Panel>{props.empty}</Panel>
  if (isMissing && !isFiltered) {
    return (
      <Panel>
        <LoadError title={`The ${many} could not be loaded`} query={list} />
      </Panel>
    )
  }
  return (
    <Panel
      isFlush
      footer={
        page &&
        needsFooter(page) && <ListFooter page={page} view={view} onViewChange={onViewChange} />
      }
    >
      <ListToolbar
        label={`Search ${many}`}
        query={view.q ?? ''}
        onQueryChange={(q) => onViewChange({ q: q || undefined, page: undefined })}
        filter={filter?.control}
        actions={
          <DownloadLink isCompact variant="default" href={props.exportHref}>
            Export CSV
          </DownloadLink>
        }
      >
        {page && describeCount(page, isFiltered, one, many)}
      </ListToolbar>
      {isMissing ? (
        <LoadError title={`The ${many} could not be loaded`} query={list} />
      ) : page?.matchCount === 0 ? (
        <NoMatches {...props} />
      ) : (
        <div className={classes.rows} aria-busy={list.isPlaceholderData}>
          {props.children(page?.rows)}
        </div>
      )}
    </Panel>
  )
}

/** `12 retailers`, or `3 of 12 retailers` when some are left out. */
function describeCount(
  page: ListPage<unknown>,
  isFiltered: boolean,
  one: string,
  many: string,
): string {
  const total = formatCountOf(page.totalCount, one, many)
  return isFiltered ? `${formatCount(page.matchCount)} of ${total}` : total
}

function NoMatches<Row>({ many, view, filter, onViewChange }: ListPanelProps<Row>) {
  const clear = () => (filter ? filter.onClear() : onViewChange({ q: undefined, page: undefined }))
  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No matching ${many}`}
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      {view.q ? (
        <>
          No results for “<bdi>{view.q}</bdi>”.
        </>
      ) : (
        'There are none of this kind.'
      )}
    </EmptyState>
  )
}
