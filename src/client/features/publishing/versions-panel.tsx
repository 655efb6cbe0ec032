import {
  IconArrowsDiff,
  IconDownload,
  IconHistory,
  IconPin,
  IconPinnedOff,
  IconRestore,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'

import { formatCount, formatFileSize } from '../../../shared/format'
import type { Version, VersionList } from '../../../shared/schemas/publishing'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { JoinNote, SourceNote, UpdateNote } from '../../components/feedback/source-note'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { RecordsDownload } from '../../components/layout/records-download'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'
import { NarrowRowsContext } from '../../lib/narrow-rows'
import { formatDateTime } from '../../lib/time-format'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useIsPhone } from '../../lib/use-is-phone'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { ComparisonCounts } from './comparison-counts'
import { fileAddress } from './file-address'
import { GoneItems } from './gone-items'
import { PublishDialog } from './lazy-dialogs'
import { usePublication } from './use-publication'
import { VersionRows } from './version-rows'
import { describeOrigin, findOlder, VERSION_STATE_WORDS } from './version-states'

import classes from './publishing.module.css'

/** The stored files of a connection, with what can be done with each. */
export function VersionsPanel({ connectionId }: { connectionId: number }) {
  const query = trpc.publishing.versions.useQuery({ id: connectionId })
  const navigate = useNavigate()
  const publish = useDialogSubject<Version>()
  const { pin } = usePublication()
  const isPhone = useIsPhone()
  const mayDecide = useMay('manage')
  const handlers: VersionColumnsProps = {
    connectionId,
    mayDecide,
    pinning: pin.isPending ? pin.variables.versionId : undefined,
    onPublish: publish.open,
    onCompare(newer) {
      const older = findOlder(query.data?.versions ?? [], newer)
      return older && (() => void navigate(toComparison(connectionId, older, newer)))
    },
    onPin: ({ id: versionId, isPinned }) =>
      pin.mutate({ id: connectionId, versionId, isPinned: !isPinned }),
  }
  return (
    <Panel
      isFlush
      title="Files"
      description={query.data && describeRetention(query.data)}
      actions={
        <RecordsDownload
          rows={query.data?.versions}
          columns={CSV_COLUMNS}
          fileName="stored-files.csv"
        />
      }
    >
      {query.isError && !query.data ? (
        <LoadError isCompact title="The files could not be loaded" query={query} />
      ) : query.data?.versions.length === 0 ? (
        <EmptyState isCompact icon={IconHistory} title="No files yet">
          Each new file of your source is kept here, so that you can compare it and go back to it.
        </EmptyState>
      ) : isPhone && query.data ? (
        <NarrowRowsContext value>
          <VersionRows
            versions={query.data.versions}
            renderActions={(version) => <VersionActions {...handlers} version={version} />}
          />
        </NarrowRowsContext>
      ) : (
        <DataTable
          label="Files"
          rows={query.data?.versions}
          rowKey={({ id }) => id}
          columns={versionColumns(handlers)}
        />
      )}
      <PublishDialog
        isOpen={publish.isOpen}
        connectionId={connectionId}
        version={publish.subject}
        onClose={publish.close}
      />
    </Panel>
  )
}

const CSV_COLUMNS = {
  file: ({ fileName }: Version) => fileName,
  at: ({ createdAt }: Version) => createdAt,
  state: ({ state }: Version) => VERSION_STATE_WORDS[state].word,
  how: (version: Version) => [describeOrigin(version), ...version.holdReasons].join(' '),
  rows: ({ rowCount }: Version) => rowCount,
  bytes: ({ fileSize }: Version) => fileSize,
  added: ({ difference }: Version) => difference && difference.added,
  removed: ({ difference }: Version) => difference && difference.removed,
  changed: ({ difference }: Version) => difference && difference.changed,
  pinned: ({ isPinned }: Version) => (isPinned ? 'yes' : 'no'),
}

const toComparison = (connectionId: number, older: Version, newer: Version) =>
  ({
    to: '/supplier/connections/$connectionId/comparison',
    params: { connectionId: String(connectionId) },
    search: { from: older.fileName, to: newer.fileName },
  }) as const

function describeRetention({ kept, maxPinned }: VersionList): string {
  return `The last ${kept.versions} are kept, for ${kept.days} days at most; up to ${maxPinned} can be pinned, and stay.`
}

interface VersionColumnsProps {
  connectionId: number
  /** Whether files may be published and pinned, besides being looked at. */
  mayDecide: boolean
  /** The id of the version whose pin is being saved. */
  pinning: number | undefined
  onPublish: (version: Version) => void
  /** Returns how a version is compared with the one before it; undefined for the oldest. */
  onCompare: (version: Version) => (() => void) | undefined
  onPin: (version: Version) => void
}

function versionColumns(props: VersionColumnsProps): Column<Version>[] {
  return [
    {
      id: 'file',
      header: 'When',
      minWidth: 150,
      cell: ({ createdAt, state, isPinned }) => (
        <div className={classes.file}>
          <TimeAgo instant={createdAt} />
          <span className={classes.marks}>
            <StatusBadge tone={VERSION_STATE_WORDS[state].tone}>
              {VERSION_STATE_WORDS[state].word}
            </StatusBadge>
            {isPinned && <StatusBadge tone="busy">Pinned</StatusBadge>}
          </span>
        </div>
      ),
    },
    {
      id: 'origin',
      header: 'How',
      minWidth: 170,
      cell: (version) => (
        <>
          <Truncated text={describeOrigin(version)} lines={3} tone="note" />
          <UpdateNote update={version.update} />
          <JoinNote joined={version.joined} />
          <SourceNote source={version.source} />
        </>
      ),
    },
    {
      id: 'difference',
      header: 'Difference',
      width: 150,
      cell: ({ difference, goneItems }) => (
        <div className={classes.file}>
          <ComparisonCounts difference={difference} />
          <GoneItems goneItems={goneItems} />
        </div>
      ),
    },
    {
      id: 'rows',
      header: 'Rows',
      align: 'right',
      width: 96,
      cell: ({ rowCount }) => formatCount(rowCount),
    },
    {
      id: 'size',
      header: 'Size',
      align: 'right',
      width: 96,
      cell: ({ fileSize }) => formatFileSize(fileSize, 1),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      actionCount: props.mayDecide ? 4 : 2,
      cell: (version) => <VersionActions {...props} version={version} />,
    },
  ]
}

function VersionActions({
  connectionId,
  mayDecide,
  pinning,
  onPublish,
  onCompare,
  onPin,
  version,
}: VersionColumnsProps & { version: Version }) {
  const { id, state, isPinned } = version
  const compare = onCompare(version)
  return (
    <RowActions
      rowName={`the file of ${formatDateTime(version.createdAt)}`}
      actions={[
        ...(mayDecide && state !== 'current'
          ? [{ label: 'Publish', icon: IconRestore, onClick: () => onPublish(version) }]
          : []),
        ...(compare ? [{ label: 'Compare', icon: IconArrowsDiff, onClick: compare }] : []),
        ...(mayDecide
          ? [
              {
                label: isPinned ? 'Unpin' : 'Pin',
                icon: isPinned ? IconPinnedOff : IconPin,
                isPending: pinning === id,
                onClick: () => onPin(version),
              },
            ]
          : []),
        {
          label: 'Download',
          icon: IconDownload,
          onClick: () => window.location.assign(fileAddress(connectionId, version)),
        },
      ]}
    />
  )
}
