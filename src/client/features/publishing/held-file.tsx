import { Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconArrowsDiff } from '@tabler/icons-react'

import { formatFileSize } from '../../../shared/format'
import { describeHold } from '../../../shared/hold-reasons'
import type { Version } from '../../../shared/schemas/publishing'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DownloadLink } from '../../components/layout/download-link'
import { ButtonLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { fileAddress } from './file-address'
import { HoldBars, isCounted } from './hold-bars'
import { DiscardVersionDialog, PublishDialog } from './lazy-dialogs'

import classes from './publishing.module.css'

interface HeldFileProps {
  connectionId: number
  /** Whether it is compared on this page already. */
  isCompared?: boolean
}

/** The file that waits for its supplier's decision, with the reasons; nothing without one. */
export function HeldFile({ connectionId, isCompared }: HeldFileProps) {
  const query = trpc.publishing.versions.useQuery({ id: connectionId })
  const files = query.data?.versions ?? []
  const held = files.find(({ state }) => state === 'held')
  const published = files.find(({ state }) => state === 'current')
  const publish = useDialogSubject<Version>()
  const discard = useDialogSubject<Version>()
  return (
    <>
      {held && (
        <HeldPanel
          connectionId={connectionId}
          version={held}
          published={isCompared ? undefined : published}
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
  /** What it can be compared with. */
  published: Version | undefined
  onPublish: () => void
  onDiscard: () => void
}

function HeldPanel(props: HeldPanelProps) {
  const { connectionId, version, published, onPublish, onDiscard } = props
  const mayDecide = useMay('manage')
  const { holdFacts, holdReasons } = version
  const counted = holdFacts.filter(isCounted)
  const shown = new Set(counted.map(describeHold))
  return (
    <Panel
      title="A new file is held"
      description={
        <>
          {version.source?.received ? 'Sent' : 'Fetched'} <TimeAgo instant={version.createdAt} />,{' '}
          {formatFileSize(version.fileSize, 1)}. Retailers keep the last good file.
          {!mayDecide && ' Owners and editors of your company decide about it.'}
        </>
      }
      footer={
        <Group gap="xs">
          {published && (
            <ButtonLink
              to="/supplier/connections/$connectionId/comparison"
              params={{ connectionId: String(connectionId) }}
              search={{ from: published.fileName, to: version.fileName }}
              leftSection={<IconArrowsDiff size={16} aria-hidden="true" />}
            >
              Compare with published
            </ButtonLink>
          )}
          {mayDecide && (
            <>
              <Button variant="default" onClick={onDiscard}>
                Discard
              </Button>
              <Button variant="default" onClick={onPublish}>
                Publish anyway
              </Button>
            </>
          )}
          <DownloadLink variant="default" href={fileAddress(connectionId, version)}>
            Download it
          </DownloadLink>
        </Group>
      }
    >
      <HoldBars reasons={counted} />
      <ul className={classes.reasons}>
        {holdReasons
          .filter((reason) => !shown.has(reason))
          .map((reason) => (
            <li key={reason}>
              <IconAlertTriangle size={16} stroke={1.9} aria-hidden="true" />
              <span>{reason}</span>
            </li>
          ))}
      </ul>
    </Panel>
  )
}
