import { Anchor, Skeleton } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'

import { formatCountOf } from '../../../shared/format'
import { StatCard } from '../../components/chart/stat-card'
import { trpc } from '../../trpc'
import { ComparisonCounts } from './comparison-counts'
import type { CompareVersions } from './version-states'

interface LastChangeCardProps {
  connectionId: number
  /** Called to show what the published file changed in the one before it. */
  onCompare: CompareVersions
}

/** What the published file has changed in the one before it. */
export function LastChangeCard({ connectionId, onCompare }: LastChangeCardProps) {
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
        <Anchor
          component="button"
          type="button"
          mt={12}
          fz="sm"
          onClick={() => onCompare({ older, newer: published, files })}
        >
          Compare
        </Anchor>
      )}
    </StatCard>
  )
}
