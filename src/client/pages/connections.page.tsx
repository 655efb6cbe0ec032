import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Connection } from '../../shared/schemas/connection'
import { lazyDialog } from '../components/lazy-dialog'
import { ButtonLink } from '../components/links'
import { EmptyState, LoadError } from '../components/message-state'
import { PageHeader } from '../components/page-header'
import { Panel } from '../components/panel'
import { PendingButton } from '../components/pending-button'
import { ColumnsCard } from '../features/column-policy/columns-card'
import { ConnectionsTable } from '../features/connections/connections-table'
import { LastFindings } from '../features/connections/last-findings'
import { RunHistory } from '../features/connections/run-history'
import { useConnectionActions } from '../features/connections/use-connection-actions'
import { GuardCard } from '../features/publishing/guard-card'
import { HeldFile } from '../features/publishing/held-file'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { useKeptOpen } from '../lib/use-kept-open'
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
  const navigate = useNavigate()
  const { add } = useSearch({ from: '/supplier/supplier/connections' })
  const edit = useDialogSubject<Connection>()
  const reading = useDialogSubject<Connection>()
  const isEmpty = list.data?.length === 0
  const isAdding = useKeptOpen(add === true, isEmpty)
  const openAdd = () => void navigate({ to: '.', search: { add: true } })
  const closeAdd = () => void navigate({ to: '.', search: {}, replace: true })

  return (
    <>
      <PageHeader
        title="Data Connections"
        subtitle="Your inventory source and its syncs"
        actions={
          <PendingButton
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            isPending={list.isRefetching}
            onClick={() => void list.refetch()}
          >
            Refresh
          </PendingButton>
        }
      />
      <Panel isFlush>
        {list.isError ? (
          <LoadError title="The connections could not be loaded" query={list} />
        ) : isEmpty ? (
          <EmptyState
            icon={<IconPlugConnected size={20} stroke={1.75} />}
            title="No connection yet"
            action={
              <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={openAdd}>
                Add Connection
              </Button>
            }
          >
            Enter the URL of your inventory CSV. It is fetched on a schedule, checked, and published
            to your retailers.
          </EmptyState>
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
        <div key={connection.id} className={classes.details}>
          <HeldFile connectionId={connection.id} />
          <LastFindings connectionId={connection.id} onChoose={() => reading.open(connection)} />
          <GuardCard connectionId={connection.id} />
          <ColumnsCard connectionId={connection.id} />
          <RunHistory
            connectionId={connection.id}
            actions={
              <ButtonLink
                to="/supplier/connections/$connectionId/history"
                params={{ connectionId: String(connection.id) }}
                variant="default"
                size="xs"
              >
                All files
              </ButtonLink>
            }
          />
        </div>
      ))}
      <ConnectionDialog isOpen={isAdding} connection={null} onClose={closeAdd} />
      <ConnectionDialog isOpen={edit.isOpen} connection={edit.subject} onClose={edit.close} />
      <SavedSourceDialog
        isOpen={reading.isOpen}
        connection={reading.subject}
        onClose={reading.close}
      />
    </>
  )
}
