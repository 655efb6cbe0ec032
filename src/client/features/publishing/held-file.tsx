import { Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

import { formatFileSize } from '../../../shared/format'
import type { Version } from '../../../shared/schemas/publishing'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { trpc } from '../../trpc'
import { fileAddress } from './file-address'
import { DiscardVersionDialog, PublishDialog } from './lazy-dialogs'

import classes from './publishing.module.css'

/** The file that waits for its supplier's decision, with the reasons; nothing without one. */
export function HeldFile({ connectionId }: { connectionId: number }) {
  const query = trpc.publishing.versions.useQuery({ id: connectionId })
  const held = query.data?.versions.find(({ state }) => state === 'held')
  const publish = useDialogSubject<Version>()
  const discard = useDialogSubject<Version>()
  return (
    <>
      {held && (
        <HeldPanel
          connectionId={connectionId}
          version={held}
          onPublish={() => publish.open(held)}
          onDiscard={() => discard.open(held)}
        />
      )}
      <PublishDialog
        isOpen={publish.isOpen}
        connectionId={connectionId}
        version={publish.subject}
        onClose={publish.close}
      />
      <DiscardVersionDialog
        isOpen={discard.isOpen}
        connectionId={connectionId}
        version={discard.subject}
        onClose={discard.close}
      />
    </>
  )
}

interface HeldPanelProps {
  connectionId: number
  version: Version
  onPublish: () => void
  onDiscard: () => void
}

function HeldPanel({ connectionId, version, onPublish, onDiscard }: HeldPanelProps) {
  return (
    <Panel
      title="A new file is held"
      description={
        <>
          {version.source?.received ? 'Sent' : 'Fetched'} <TimeAgo instant={version.createdAt} />,{' '}
          {formatFileSize(version.fileSize, 1)}. Retailers keep the last good file.
        </>
      }
      footer={
        <Group justify="flex-end" gap="xs">
          <DownloadLink variant="default" href={fileAddress(connectionId, version)}>
            Download it
          </DownloadLink>
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
          <Button onClick={onPublish}>Publish anyway</Button>
        </Group>
      }
    >
      <ul className={classes.reasons}>
        {version.holdReasons.map((reason) => (
          <li key={reason}>
            <IconAlertTriangle size={16} stroke={1.9} aria-hidden="true" />
            <span>{reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
