import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import type { GuessedSetting } from '../../shared/automatic-reading'
import type { Connection } from '../../shared/schemas/connection'
import { lazyDialog } from '../components/dialog/lazy-dialog'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { RefreshButton } from '../components/feedback/refresh-button'
import { ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { ColumnsCard } from '../features/column-policy/columns-card'
import { ReceivedFilesPanel, UploadLinkPanel } from '../features/connections/by-hand'
import { ConnectionsTable } from '../features/connections/connections-table'
import { LastFindings } from '../features/connections/last-findings'
import { RunHistory } from '../features/connections/run-history'
import { useConnectionActions } from '../features/connections/use-connection-actions'
import { MailInboxPanel } from '../features/mailed-files/mailed-files'
import { GuardCard } from '../features/publishing/guard-card'
import { HeldFile } from '../features/publishing/held-file'
import { SendBySftp } from '../features/sftp-login/send-by-sftp'
import { useAddInUrl } from '../lib/use-add-in-url'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { useKeptOpen } from '../lib/use-kept-open'
import { useMay } from '../session/may'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './connections.module.css'

const ConnectionDialog = lazyDialog(
  async () => (await import('../features/connections/connection-dialog')).ConnectionDialog,
)

const SavedSourceDialog = lazyDialog(
  async () => (await import('../features/connections/saved-source-dialog')).SavedSourceDialog,
)

/** A supplier's data connection with its health and run history. */
export function ConnectionsPage() {
  usePageTitle('Data Connections')
  const list = trpc.connections.list.useQuery()
  const actions = useConnectionActions()
  const [isAddWanted, setAdding] = useAddInUrl()
  const { sample } = useSearch({ from: '/supplier/supplier/connections' })
  const edit = useDialogSubject<Connection>()
  const reading = useDialogSubject<Connection>()
  const mayManage = useMay('manage')
  const isEmpty = list.data?.length === 0
  const isAdding = useKeptOpen(isAddWanted, isEmpty && mayManage)

  return (
    <>
      <PageHeader
        title="Data Connections"
        subtitle="Your inventory source and its syncs"
        actions={<RefreshButton onRefresh={list.refetch} />}
      />
      <Panel isFlush>
        {list.isError ? (
          <LoadError title="The connections could not be loaded" query={list} />
        ) : isEmpty ? (
          <NoConnection onAdd={mayManage ? () => setAdding(true) : undefined} />
        ) : (
          <ConnectionsTable
            connections={list.data}
            savingId={actions.savingId}
            syncingId={actions.syncingId}
            onToggle={actions.toggle}
            onSync={actions.sync}
            onEdit={edit.open}
          />
        )}
      </Panel>
      {list.data?.map((connection) => (
        <Details
          key={connection.id}
          connection={connection}
          onChooseReading={() => reading.open(connection)}
        />
      ))}
      <ConnectionDialog
        isOpen={isAdding}
        connection={null}
        isSample={sample === true}
        onClose={() => setAdding(false)}
      />
      <ConnectionDialog isOpen={edit.isOpen} connection={edit.subject} onClose={edit.close} />
      <SavedSourceDialog
        isOpen={reading.isOpen}
        connection={reading.subject}
        onClose={reading.close}
      />
    </>
  )
}

function NoConnection({ onAdd }: { onAdd: (() => void) | undefined }) {
  if (!onAdd) {
    return (
      <EmptyState icon={IconPlugConnected} title="No connection yet">
        Owners and editors of your company connect its inventory file. It is seen here then.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No connection yet"
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={onAdd}>
          Add Connection
        </Button>
      }
    >
      Enter the URL of your inventory file, or send the file itself: CSV, Excel or ZIP. It is
      checked, and published to your retailers.
    </EmptyState>
  )
}

interface DetailsProps {
  connection: Connection
  /** Opens the choice of how the file is read. */
  onChooseReading: () => void
}

function Details({ connection, onChooseReading }: DetailsProps) {
  const { id: connectionId, config } = connection
  const isByHand = config.url === ''
  const [isColumnsOpen, setColumnsOpen] = useState(false)
  const mayManage = useMay('manage')
  const choose = (setting: GuessedSetting) =>
    setting === 'decimalMark' ? setColumnsOpen(true) : onChooseReading()
  return (
    <div className={classes.details}>
      <HeldFile connectionId={connectionId} />
      {isByHand && <ReceivedFilesPanel connection={connection} />}
      <LastFindings connectionId={connectionId} onChoose={mayManage ? choose : undefined} />
      <GuardCard connectionId={connectionId} />
      <ColumnsCard
        connectionId={connectionId}
        isOpen={isColumnsOpen}
        onOpen={() => setColumnsOpen(true)}
        onClose={() => setColumnsOpen(false)}
      />
      <RunHistory
        connectionId={connectionId}
        canCompare
        actions={
          <ButtonLink
            to="/supplier/connections/$connectionId/history"
            params={{ connectionId: String(connectionId) }}
            variant="default"
            size="xs"
          >
            All files
          </ButtonLink>
        }
      />
      {!isByHand && <ReceivedFilesPanel connection={connection} />}
      <UploadLinkPanel connectionId={connectionId} />
      <SendBySftp connectionId={connectionId} />
      <MailInboxPanel connectionId={connectionId} />
    </div>
  )
}
