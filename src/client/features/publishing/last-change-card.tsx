import { Skeleton } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'

import { formatCountOf } from '../../../shared/format'
import { StatCard } from '../../components/chart/stat-card'
import { TextLink } from '../../components/layout/links'
import { trpc } from '../../trpc'
import { ComparisonCounts } from './comparison-counts'

/** What the published file has changed in the one before it. */
export function LastChangeCard({ connectionId }: { connectionId: number }) {
  const query = trpc.publishing.versions.useQuery({ id: connectionId })
  const files = query.data?.versions ?? []
  const published = files.find(({ state }) => state === 'current')
  const older =
    published && files.find(({ id, state }) => id < published.id && state === 'replaced')
  return (
    <StatCard
      title="Last change"
      icon={IconArrowsDiff}
      value={
        query.isPending ? (
          <Skeleton height={24} width={110} my={5} />
        ) : (
          <ComparisonCounts difference={published?.difference ?? null} />
        )
      }
      label={published ? `${formatCountOf(published.rowCount, 'row')} published` : 'No file yet'}
    >
      {older && (
        <TextLink
          to="/supplier/connections/$connectionId/comparison"
          params={{ connectionId: String(connectionId) }}
          search={{ from: older.fileName, to: published.fileName }}
          display="inline-block"
          mt={12}
          fz="sm"
        >
          Compare
        </TextLink>
      )}
    </StatCard>
  )
}
