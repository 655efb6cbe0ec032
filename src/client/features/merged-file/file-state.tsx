import { Group, Stack, Text } from '@mantine/core'
import { IconClockPause, IconFileAlert } from '@tabler/icons-react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { EmptyState } from '../../components/feedback/message-state'
import { ProblemList } from '../../components/feedback/problem-list'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DefinitionList } from '../../components/layout/definition-list'
import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { useMay } from '../../session/may'

const DOWNLOAD = '/api/merged-file/download'

/** The file as it is now: when it was made, what is in it, and what was found. */
export function FileState({ file }: { file: ShownMergedFile }) {
  const mayDownload = useMay('files')
  return (
    <Panel
      title="Your file"
      description="Made anew when a supplier’s file changes, at most once a minute"
      actions={
        file.file &&
        mayDownload && (
          <>
            <DownloadLink isCompact waits href={DOWNLOAD} failure={FAILED}>
              Download
            </DownloadLink>
            <DownloadLink
              isCompact
              waits
              variant="default"
              href={`${DOWNLOAD}?format=xlsx`}
              failure={FAILED}
            >
              Download as Excel
            </DownloadLink>
          </>
        )
      }
    >
      <Stack gap="lg">
        {file.isBeingMade && <Making />}
        {file.failure !== null && !file.isBeingMade && (
          <Group component="output" gap="4px 12px">
            <StatusBadge tone="bad">Not made</StatusBadge>
            <Text span fz="sm">
              {file.failure} {file.file && 'The one before stays.'}
            </Text>
          </Group>
        )}
        {file.file ? <Facts {...file.file} readCount={file.readCount} /> : <NoFile file={file} />}
      </Stack>
    </Panel>
  )
}

const FAILED = 'Failed to download the merged file'

const Making = () => (
  <Stack component="output" gap={6}>
    <Text span fw={550} fz="sm">
      The file is being made
    </Text>
    <ProgressBar label="Making the merged file" share={null} />
  </Stack>
)

function NoFile({ file }: { file: ShownMergedFile }) {
  if (file.isBeingMade) return null
  if (file.failure !== null) {
    return (
      <EmptyState isRow icon={IconFileAlert} title="No file yet">
        It could not be made, and is tried again by itself.
      </EmptyState>
    )
  }
  return (
    <EmptyState isRow icon={IconClockPause} title="No file yet">
      It is made as soon as one of these suppliers has published a file with SKUs and quantities.
    </EmptyState>
  )
}

type FactsProps = NonNullable<ShownMergedFile['file']> & Pick<ShownMergedFile, 'readCount'>

function Facts({ madeAt, rowCount, sharedCount, unmatchedCount, problems, readCount }: FactsProps) {
  return (
    <>
      <DefinitionList
        items={[
          { term: 'Made', value: <TimeAgo instant={madeAt} /> },
          { term: 'Items', value: formatCount(rowCount) },
          { term: 'Of several suppliers', value: formatCount(sharedCount) },
          { term: 'Matched nothing', value: formatCount(unmatchedCount) },
          { term: 'Reads by shops', value: formatCount(readCount) },
        ]}
      />
      {problems.length > 0 && (
        <ProblemList
          title={`${formatCountOf(problems.length, 'note')} on the file`}
          problems={problems}
        />
      )}
    </>
  )
}
