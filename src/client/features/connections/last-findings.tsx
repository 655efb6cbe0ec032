import { Skeleton, Stack } from '@mantine/core'
import { IconFileSearch } from '@tabler/icons-react'

import type { GuessedSetting } from '../../../shared/automatic-reading'
import { formatFileName } from '../../../shared/format'
import type { SourceFindings } from '../../../shared/schemas/file'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { trpc } from '../../trpc'
import { PublishedFindings } from './source-findings'

interface LastFindingsProps {
  connectionId: number
  /** Opens where a setting is chosen. */
  onChoose?: ((setting: GuessedSetting) => void) | undefined
}

/** Format and problems of the published file's source: the counterpart of the preview. */
export function LastFindings({ connectionId, onChoose }: LastFindingsProps) {
  const query = trpc.connections.findings.useQuery({ id: connectionId })
  const findings = query.data && 'dialect' in query.data ? query.data : null
  return (
    <Panel
      title="What the last successful sync found"
      description={findings && <PublishedFile findings={findings} />}
    >
      {query.isError ? (
        <LoadError isCompact title="The findings could not be loaded" query={query} />
      ) : query.isPending ? (
        <FindingsSkeleton />
      ) : findings ? (
        <PublishedFindings findings={findings} onChoose={onChoose} />
      ) : (
        <EmptyState isCompact icon={IconFileSearch} title="No file is published yet">
          Delimiter, encoding, rows and any problems appear here after the first published sync.
        </EmptyState>
      )}
    </Panel>
  )
}

function PublishedFile({ findings: { fileName, publishedAt } }: { findings: SourceFindings }) {
  return (
    <>
      {formatFileName(fileName)}, published <TimeAgo instant={publishedAt} />
    </>
  )
}

function FindingsSkeleton() {
  return (
    <Stack component="output" gap={16} aria-label="Loading what the last sync found">
      {['70%', '92%', '60%'].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </Stack>
  )
}
