import { Title } from '@mantine/core'
import { useId } from 'react'

import { formatCount } from '../../../shared/format'
import { TrendChart } from '../../components/chart/trend-chart'
import { trpc } from '../../trpc'

/** The rows of a retailer's own files in the last 30 days; nothing with fewer than two. */
export function RowsTrend({ retailerId }: { retailerId: number }) {
  const titleId = useId()
  const { data: counts = [] } = trpc.retailers.rowCounts.useQuery({ id: retailerId })
  if (counts.length < 2) return null
  return (
    <section aria-labelledby={titleId}>
      <Title order={3} mb="sm" id={titleId}>
        How it has changed
      </Title>
      <TrendChart
        title="Rows of your file, in the last 30 days"
        points={counts.map(({ at, rows }) => ({ at, value: rows }))}
        format={formatCount}
      />
    </section>
  )
}
