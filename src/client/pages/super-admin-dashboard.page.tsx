import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuildingWarehouse, IconPlus, IconUsers } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { SUPPLIER_SORT_COLUMNS } from '../../shared/constants'
import type { ListedSupplier } from '../../shared/schemas/supplier'
import { lazyPart } from '../components/feedback/lazy-part'
import { EmptyState } from '../components/feedback/message-state'
import { PageHeader } from '../components/layout/page-header'
import { ListPanel } from '../components/table/list-panel'
import { NeedsYou } from '../features/overview/needs-you'
import { OverviewCards } from '../features/overview/overview-cards'
import {
  AddSupplierDialog,
  EditSupplierDialog,
  InviteSupplierDialog,
} from '../features/suppliers/lazy-dialogs'
import { SuppliersTable } from '../features/suppliers/suppliers-table'
import { useToggleSupplier } from '../features/suppliers/use-toggle-supplier'
import { toExportHref } from '../lib/export-href'
import { pageRequest } from '../lib/list-view'
import { useAddInUrl } from '../lib/use-add-in-url'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { useListView } from '../lib/use-list-view'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

/** Most lists have no invitations. */
const InvitationsPanel = lazyPart(
  async () => (await import('../features/people/invitations-panel')).InvitationsPanel,
  { name: 'invitations', height: 0 },
)

/** The administrator's overview and list of suppliers. */
export function SuperAdminDashboardPage() {
  usePageTitle('Supplier Management')
  const [view, setView] = useListView()
  const list = trpc.suppliers.page.useQuery(pageRequest(view, SUPPLIER_SORT_COLUMNS), {
    placeholderData: keepPreviousData,
  })
  const { savingId, toggle } = useToggleSupplier()
  const [isAdding, setAdding] = useAddInUrl()
  const [isInviting, inviting] = useDisclosure(false)
  const invitations = trpc.invitations.list.useQuery({})
  const hasInvitations = invitations.isError || (invitations.data?.invitations.length ?? 0) > 0
  const edit = useDialogSubject<ListedSupplier>()
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title="Supplier Management"
        subtitle="Companies that share their inventory"
        actions={
          <>
            <Button
              leftSection={<IconPlus size={16} aria-hidden="true" />}
              onClick={() => setAdding(true)}
            >
              Add Supplier
            </Button>
            <Button
              variant="default"
              leftSection={<IconUsers size={16} aria-hidden="true" />}
              onClick={inviting.open}
            >
              Invite
            </Button>
          </>
        }
      />
      <NeedsYou />
      <OverviewCards />
      <Stack gap="lg">
        {hasInvitations && <InvitationsPanel query={invitations} shows="pending" of="suppliers" />}
        <ListPanel
          one="supplier"
          many="suppliers"
          list={list}
          view={view}
          onViewChange={setView}
          exportHref={toExportHref('/api/suppliers.csv', pageRequest(view, SUPPLIER_SORT_COLUMNS))}
          empty={<NoSuppliers onAdd={() => setAdding(true)} />}
        >
          {(suppliers) => (
            <SuppliersTable
              suppliers={suppliers}
              view={view}
              onSort={(sort) => setView({ sort, page: undefined })}
              savingId={savingId}
              onToggle={toggle}
              onEdit={edit.open}
              onOpen={({ id }) =>
                void navigate({
                  to: '/dashboard/super-admin/suppliers/$supplierId',
                  params: { supplierId: String(id) },
                  state: { list: view },
                })
              }
            />
          )}
        </ListPanel>
        {hasInvitations && <InvitationsPanel query={invitations} shows="ended" of="suppliers" />}
      </Stack>
      <AddSupplierDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      <InviteSupplierDialog
        isOpen={isInviting}
        onClose={inviting.close}
        hasMail={invitations.data?.hasMail !== false}
      />
      <EditSupplierDialog isOpen={edit.isOpen} supplier={edit.subject} onClose={edit.close} />
    </>
  )
}

function NoSuppliers({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={IconBuildingWarehouse}
      title="No suppliers yet"
      action={<Button onClick={onAdd}>Add the first supplier</Button>}
    >
      Suppliers sign in, connect their inventory and add their retailers.
    </EmptyState>
  )
}
