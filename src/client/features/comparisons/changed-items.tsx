import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'

import { BROWSED_ROWS, type ChangeKind } from '../../../shared/constants'
import { formatCount } from '../../../shared/format'
import type { ChangedItemsPage } from '../../../shared/schemas/comparison'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { describeMatches, formatRange } from '../../components/table/describe-matches'
import { PageSteps } from '../../components/table/page-steps'
import { useFilledPages } from '../../lib/use-filled-pages'
import { trpc } from '../../trpc'
import { CHANGE_WORDS } from './change-words'
import { ItemTable } from './item-table'

import classes from './changed-items.module.css'

/** Which items of which two files are listed. */
interface ItemsWanted {
  connectionId: number
  olderId: number
  newerId: number
  kind: ChangeKind | undefined
  q: string
}

interface ChangedItemsProps extends ItemsWanted {
  keyColumn: string
  onClear: () => void
}

/** All items with one kind of change, or that a search has found, in pages. */
export function ChangedItems({ keyColumn, onClear, ...wanted }: ChangedItemsProps) {
  const { connectionId: id, olderId, newerId, kind, q } = wanted
  const query = trpc.differences.items.useInfiniteQuery(
    { id, olderId, newerId, kind, q },
    {
      getNextPageParam: ({ nextCursor }: ChangedItemsPage) => nextCursor,
      // Stored files never change; typing on abandons a search.
      staleTime: Infinity,
      trpc: { abortOnUnmount: true },
    },
  )
  const pages = useFilledPages(query, {
    rowsOf: ({ items }: ChangedItemsPage) => items,
    list: `${olderId} ${newerId} ${kind} ${q}`,
    size: BROWSED_ROWS,
  })
  const { rows, latest, isReading } = pages
  if (query.isError) {
    const retry = latest ? () => void query.fetchNextPage() : () => void query.refetch()
    return (
      <LoadError title="The changes could not be loaded" query={{ ...query, refetch: retry }} />
    )
  }
  if (!latest || (rows.length === 0 && isReading)) {
    return (
      <div className={classes.loading}>
        <LoadingBlock height={220} label="Loading the changes" />
      </div>
    )
  }
  if (rows.length === 0) return <NothingFound q={q} kind={kind} onClear={onClear} />
  return (
    <>
      <div aria-busy={isReading}>
        <ItemTable
          label={kind ? CHANGE_WORDS[kind].title : 'Changed items'}
          connectionId={id}
          keyColumn={keyColumn}
          items={rows}
          kind={kind}
        />
      </div>
      <div className={classes.steps}>
        <PageSteps
          {...pages}
          status={q ? describeMatches(pages, 'change') : describeShown(pages)}
        />
      </div>
    </>
  )
}

interface NothingFoundProps {
  q: string
  kind: ChangeKind | undefined
  onClear: () => void
}

const NothingFound = ({ q, kind, onClear }: NothingFoundProps) => (
  <EmptyState
    icon={IconSearchOff}
    title={q ? 'No matching items' : 'No such change'}
    action={
      <Button variant="default" onClick={onClear}>
        {q ? 'Clear search' : 'Show all changes'}
      </Button>
    }
  >
    {q ? (
      <>
        {kind ? `Under “${CHANGE_WORDS[kind].word}”, no` : 'No'} changed item has “<bdi>{q}</bdi>”
        in its SKU.
      </>
    ) : (
      'No item has it in these two files.'
    )}
  </EmptyState>
)

/** `Items 51–100 of 213`; until all are found, only which. */
function describeShown(pages: {
  rows: readonly unknown[]
  first: number
  foundCount: number
  isExhausted: boolean
}): string {
  const { rows, first, foundCount, isExhausted } = pages
  const shown = `Items ${formatRange(first + 1, first + rows.length)}`
  return isExhausted ? `${shown} of ${formatCount(foundCount)}` : shown
}
