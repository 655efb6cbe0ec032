import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconTableOff } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'

import { formatCountOf } from '../../../shared/format'
import {
  chosenShopFormatSchema,
  shopFormatSchema,
  type ShopFormat,
  type ShopFormatPreview as Preview,
} from '../../../shared/schemas/shop-format'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { ProblemList } from '../../components/feedback/problem-list'
import { PreviewTable } from '../../components/table/preview-table'
import { trpc } from '../../trpc'

import classes from './shop-format.module.css'

const TYPING_MS = 300

/** The first rows of the file, as the shop will get them. */
export function ShopFormatPreview({
  retailerId,
  profile,
}: {
  retailerId: number
  profile: ShopFormat
}) {
  const [settled] = useDebouncedValue(profile, TYPING_MS)
  const valid = chosenShopFormatSchema.safeParse(settled)
  const query = trpc.profiles.preview.useQuery(
    { id: retailerId, profile: valid.data ?? shopFormatSchema.parse({}) },
    { enabled: valid.success, placeholderData: keepPreviousData, retry: false },
  )
  return (
    <section className={classes.preview} aria-label="First rows of the file">
      <h3 className={classes.title}>As the shop will get it</h3>
      {!valid.success ? (
        <Text c="dimmed" fz="sm">
          Complete the options to see the first rows.
        </Text>
      ) : query.isError ? (
        <LoadError isCompact title="This format cannot be written" query={query} />
      ) : query.data ? (
        <Rows preview={query.data} isOutdated={query.isPlaceholderData} />
      ) : (
        <LoadingBlock height={364} label="Loading the first rows" />
      )}
    </section>
  )
}

function Rows({ preview, isOutdated }: { preview: Preview; isOutdated: boolean }) {
  const { columns, columnCount, rows, problems, isPartial } = preview
  const more = columnCount - columns.length
  return (
    <div className={classes.rows} aria-busy={isOutdated} data-busy={isOutdated || undefined}>
      {rows.length === 0 ? (
        <EmptyState isCompact icon={IconTableOff} title="No rows">
          {isPartial
            ? 'None of the first rows of the supplier’s file are for this shop.'
            : 'The file has a header but no rows for this shop.'}
        </EmptyState>
      ) : (
        <div className={classes.frame}>
          <PreviewTable label="First rows" columns={columns} rows={rows} />
        </div>
      )}
      {more > 0 && (
        <Text c="dimmed" fz="sm">
          and {formatCountOf(more, 'more column')}
        </Text>
      )}
      {problems.length > 0 && (
        <ProblemList title={isPartial ? 'In the first rows' : 'In the file'} problems={problems} />
      )}
    </div>
  )
}
