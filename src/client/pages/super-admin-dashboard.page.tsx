import { Button, Pagination } from '@mantine/core'
import { IconBuildingWarehouse, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { formatCount } from '../../shared/format'
import type { User } from '../../shared/schemas/user'
import { lazyDialog } from '../components/lazy-dialog'
import { ListToolbar } from '../components/list-toolbar'
import { EmptyState, ErrorState } from '../components/message-state'
import { PageHeader } from '../components/page-header'
import { Panel } from '../components/panel'
import { supplierListReading, SuppliersTable } from '../features/suppliers/suppliers-table'
import { useToggleSupplier } from '../features/suppliers/use-toggle-supplier'
import { errorMessage } from '../lib/error-message'
import { applyListView, type ListView } from '../lib/list-view'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

const loadDialogs = () => import('../features/suppliers/supplier-dialog')
const AddSupplierDialog = lazyDialog(async () => (await loadDialogs()).AddSupplierDialog)
const EditSupplierDialog = lazyDialog(async () => (await loadDialogs()).EditSupplierDialog)

/** §2, Supplier Management (administrator). */
export function SuperAdminDashboardPage() {
  usePageTitle('Supplier Management')
  const list = trpc.suppliers.list.useQuery()
  const [isAdding, setAdding] = useState(false)
  const edit = useDialogSubject<User>()
  return (
    <>
      <PageHeader
        title="Supplier Management"
        subtitle="The companies that share their inventory here"
        actions={
          <Button
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => setAdding(true)}
          >
            Add Supplier
          </Button>
        }
      />
      {list.isError ? (
        <Panel>
          <ErrorState
            title="The suppliers could not be loaded"
            message={errorMessage(list.error)}
            onRetry={() => void list.refetch()}
            isRetrying={list.isFetching}
          />
        </Panel>
      ) : list.data?.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<IconBuildingWarehouse size={20} stroke={1.75} />}
            title="No suppliers yet"
          >
            Add the first one; it signs in, connects its inventory and invites its retailers.
          </EmptyState>
        </Panel>
      ) : (
        <SupplierList suppliers={list.data} onEdit={edit.open} />
      )}
      <AddSupplierDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      <EditSupplierDialog isOpen={edit.isOpen} supplier={edit.subject} onClose={edit.close} />
    </>
  )
}

interface SupplierListProps {
  suppliers: User[] | undefined
  onEdit: (supplier: User) => void
}

function SupplierList({ suppliers, onEdit }: SupplierListProps) {
  const navigate = useNavigate()
  const view: ListView = useSearch({ strict: false })
  const setView = (change: ListView) =>
    void navigate({ to: '.', search: { ...view, ...change }, replace: true })
  const { savingId, toggle } = useToggleSupplier()
  const page = suppliers && applyListView(suppliers, view, supplierListReading)
  return (
    <Panel
      isFlush
      footer={
        page &&
        page.pageCount > 1 && (
          <Pagination
            size="sm"
            total={page.pageCount}
            value={page.page}
            onChange={(number) => setView({ page: number === 1 ? undefined : number })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )
      }
    >
      <ListToolbar
        label="Search suppliers"
        query={view.q ?? ''}
        onQueryChange={(q) => setView({ q: q || undefined, page: undefined })}
      >
        {page &&
          `${formatCount(page.matchCount)} ${page.matchCount === 1 ? 'supplier' : 'suppliers'}`}
      </ListToolbar>
      {page?.matchCount === 0 ? (
        <EmptyState
          icon={<IconSearchOff size={20} stroke={1.75} />}
          title="No supplier matches"
          action={
            <Button variant="default" onClick={() => setView({ q: undefined, page: undefined })}>
              Clear filters
            </Button>
          }
        >
          Nothing was found for “{view.q}”.
        </EmptyState>
      ) : (
        <SuppliersTable
          suppliers={page?.rows}
          sort={view.sort}
          onSort={(sort) => setView({ sort, page: undefined })}
          savingId={savingId}
          onToggle={toggle}
          onEdit={onEdit}
        />
      )}
    </Panel>
  )
}
