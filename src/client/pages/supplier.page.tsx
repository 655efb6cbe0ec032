import { Button } from '@mantine/core'
import {
  IconBuildingWarehouse,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'

import type { SupplierOverview } from '../../shared/schemas/supplier'
import { lazyPart } from '../components/feedback/lazy-part'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { Breakable } from '../components/layout/breakable'
import { BackLink, ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { UnnamedPage } from '../components/layout/unnamed-page'
import { ConnectionHealth } from '../features/connections/connection-health'
import { LastFindings } from '../features/connections/last-findings'
import { RunHistory } from '../features/connections/run-history'
import { CancelButton } from '../features/overview/cancel-button'
import type { CancellableSync } from '../features/overview/cancel-sync-dialog'
import { CancelSyncDialog } from '../features/overview/lazy-dialogs'
import { ViewAsButton } from '../features/people/view-as-button'
import { SupplierDeletion } from '../features/personal-data/supplier-deletion'
import { EditSupplierDialog, ResetPasswordDialog } from '../features/suppliers/lazy-dialogs'
import { PausedDestinations } from '../features/suppliers/paused-destinations'
import { SupplierAccount } from '../features/suppliers/supplier-account'
import { SupplierRetailers } from '../features/suppliers/supplier-retailers'
import { RunCharts } from '../features/timeline/run-charts'
import { Timeline } from '../features/timeline/timeline'
import { errorStatus } from '../lib/error-message'
import { readId } from '../lib/read-id'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { useListOfOrigin } from '../lib/use-list-view'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import connectionClasses from './connections.module.css'
import classes from './panels.module.css'

const CompanyPeople = lazyPart(
  async () => (await import('../features/people/company-people')).CompanyPeople,
  { name: 'people', height: 180 },
)

/** A supplier as an administrator sees it: account, connection, runs and retailers. */
export function SupplierPage() {
  const { supplierId } = useParams({
    from: '/super_admin/dashboard/super-admin/suppliers/$supplierId',
  })
  const id = readId(supplierId)
  const origin = useListOfOrigin()
  // Kept, because sorting the retailers makes a new history entry.
  const [list] = useState(origin)
  const query = trpc.suppliers.get.useQuery({ id: id ?? 0 }, { enabled: id !== null })
  const supplier = query.data
  usePageTitle(supplier ? nameOf(supplier) : 'Supplier')
  if (id === null || errorStatus(query.error) === 404) return <SupplierNotFound />
  if (query.isError && !supplier) {
    return (
      <UnnamedPage title="Supplier">
        <LoadError title="The supplier could not be loaded" query={query} />
      </UnnamedPage>
    )
  }
  if (!supplier) {
    return (
      <UnnamedPage title="Supplier">
        <PageSpinner />
      </UnnamedPage>
    )
  }
  return (
    <>
      <BackLink to="/dashboard/super-admin" search={list}>
        All suppliers
      </BackLink>
      <SupplierHeader supplier={supplier} />
      <div className={classes.panels}>
        <PausedDestinations supplier={supplier} />
        <SupplierAccount supplier={supplier} />
        <SupplierConnection supplier={supplier} />
        <SupplierRetailers supplierId={supplier.id} />
        <CompanyPeople kind="SUPPLIER" companyId={supplier.id} />
        {supplier.connection && (
          <div className={connectionClasses.details}>
            <LastFindings connectionId={supplier.connection.id} />
            <RunHistory connectionId={supplier.connection.id} />
            <RunCharts connectionId={supplier.connection.id} />
            <Timeline connectionId={supplier.connection.id} />
          </div>
        )}
        <SupplierDeletion supplier={supplier} />
      </div>
    </>
  )
}

const nameOf = ({ companyName, username }: SupplierOverview) => companyName ?? username

function SupplierHeader({ supplier }: { supplier: SupplierOverview }) {
  const edit = useDialogSubject<SupplierOverview>()
  const reset = useDialogSubject<SupplierOverview>()
  return (
    <>
      <PageHeader
        title={<span dir="auto">{nameOf(supplier)}</span>}
        subtitle={`Username: ${supplier.username}`}
        actions={
          <>
            <ViewAsButton companyId={supplier.id} />
            <ButtonLink
              to="/audit"
              search={{ supplier: supplier.id }}
              variant="default"
              leftSection={<IconListDetails size={16} aria-hidden="true" />}
            >
              Activity
            </ButtonLink>
            <Button
              variant="default"
              leftSection={<IconKey size={16} aria-hidden="true" />}
              onClick={() => reset.open(supplier)}
            >
              Reset Password
            </Button>
            <Button
              leftSection={<IconPencil size={16} aria-hidden="true" />}
              onClick={() => edit.open(supplier)}
            >
              Edit
            </Button>
          </>
        }
      />
      <EditSupplierDialog isOpen={edit.isOpen} supplier={edit.subject} onClose={edit.close} />
      <ResetPasswordDialog isOpen={reset.isOpen} supplier={reset.subject} onClose={reset.close} />
    </>
  )
}

function SupplierConnection({ supplier }: { supplier: SupplierOverview }) {
  const cancel = useDialogSubject<CancellableSync>()
  const { connection } = supplier
  if (!connection) {
    return (
      <Panel title="Connection">
        <EmptyState isCompact icon={IconPlugConnectedX} title="No connection yet">
          The supplier has not entered the URL of its inventory file.
        </EmptyState>
      </Panel>
    )
  }
  const { id: connectionId, name: connectionName } = connection
  const sync = { connectionId, connectionName, supplierName: nameOf(supplier) }
  return (
    <Panel
      title={<span dir="auto">{connectionName}</span>}
      description={
        connection.config.url === '' ? (
          'Files are sent by hand'
        ) : (
          <span dir="ltr">
            <Breakable address={connection.config.url} />
          </span>
        )
      }
    >
      <ConnectionHealth
        connection={connection}
        cancelButton={<CancelButton sync={sync} onCancel={cancel.open} />}
      />
      <CancelSyncDialog isOpen={cancel.isOpen} sync={cancel.subject} onClose={cancel.close} />
    </Panel>
  )
}

function SupplierNotFound() {
  return (
    <UnnamedPage title="Supplier">
      <EmptyState
        icon={IconBuildingWarehouse}
        title="Supplier not found"
        action={
          <ButtonLink to="/dashboard/super-admin" variant="default">
            Back to all suppliers
          </ButtonLink>
        }
      >
        The address is wrong.
      </EmptyState>
    </UnnamedPage>
  )
}
