import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuildingStore } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import {
  DEFAULT_MAX_RETAILERS,
  RETAILER_SORT_COLUMNS,
  type ReadingState,
} from '../../shared/constants'
import { formatCount, formatCountOf } from '../../shared/format'
import type { ListedRetailer } from '../../shared/schemas/retailer'
import { lazyDialog } from '../components/dialog/lazy-dialog'
import { lazyPart } from '../components/feedback/lazy-part'
import { EmptyState } from '../components/feedback/message-state'
import { PageHeader } from '../components/layout/page-header'
import { ListPanel } from '../components/table/list-panel'
import type { RowKey } from '../components/table/row-selection'
import { AddButtons, GroupsLink } from '../features/retailers/add-buttons'
import { ReadingFilter } from '../features/retailers/reading-filter'
import { RetailerDialogs, useRetailerDialogs } from '../features/retailers/retailer-dialogs'
import { RetailersTable } from '../features/retailers/retailers-table'
import { SelectionBar } from '../features/retailers/selection-bar'
import { useMemberships } from '../features/retailers/use-memberships'
import { useRetailerUsage } from '../features/retailers/use-retailer-usage'
import { toExportHref } from '../lib/export-href'
import { pageRequest, type ListView } from '../lib/list-view'
import { useAddInUrl } from '../lib/use-add-in-url'
import { useKeptOpen } from '../lib/use-kept-open'
import { useListView } from '../lib/use-list-view'
import { useSignedInUser } from '../session/current-user'
import { useMay } from '../session/may'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

const AddRetailerDialog = lazyDialog(
  async () => (await import('../features/retailers/add-retailer-dialog')).AddRetailerDialog,
)

const AddRetailersDialog = lazyDialog(
  async () => (await import('../features/retailers/add-retailers-dialog')).AddRetailersDialog,
)

const InviteRetailerDialog = lazyDialog(
  async () => (await import('../features/retailers/invite-retailer-dialog')).InviteRetailerDialog,
)

/** Most lists have no invitations. */
const InvitationsPanel = lazyPart(
  async () => (await import('../features/people/invitations-panel')).InvitationsPanel,
  { name: 'invitations', height: 0 },
)

/** Most suppliers have none. */
const RequestsPanel = lazyPart(
  async () => (await import('../features/directory/requests-panel')).RequestsPanel,
  { name: 'requests', height: 0 },
)

/** Only those that read so are listed: the dashboard links to those that need a look. */
type RetailersView = ListView & { reading?: ReadingState | undefined }

/** A supplier's retailers. */
export function RetailersPage() {
  usePageTitle('Retailers')
  const maxRetailers = useSignedInUser().maxRetailers ?? DEFAULT_MAX_RETAILERS
  const [view, setView] = useListView<RetailersView>()
  const list = useRetailers(view)
  const [isAddWanted, setAdding] = useAddInUrl()
  const [isAddingSeveral, several] = useDisclosure(false)
  const [isInviting, inviting] = useDisclosure(false)
  const mayManage = useMay('manage')
  const invitations = trpc.invitations.list.useQuery({})
  const openCount = invitations.data?.openCount ?? 0
  const hasInvitations = invitations.isError || (invitations.data?.invitations.length ?? 0) > 0
  const hasRequests = (trpc.requests.list.useQuery().data?.openCount ?? 0) > 0
  const totalCount = list.data?.totalCount
  const isFull = totalCount !== undefined && totalCount + openCount >= maxRetailers
  const isAdding = useKeptOpen(isAddWanted, totalCount !== undefined && !isFull && mayManage)

  return (
    <>
      <PageHeader
        title="Retailers"
        subtitle={
          totalCount === undefined
            ? 'Stores that receive your inventory'
            : `${formatCount(totalCount)} of ${formatCountOf(maxRetailers, 'retailer')} in use${
                openCount > 0 ? `, ${formatCount(openCount)} invited` : ''
              }`
        }
        actions={
          mayManage ? (
            <AddButtons
              limit={isFull ? maxRetailers : undefined}
              onAdd={() => setAdding(true)}
              onAddSeveral={several.open}
              onInvite={inviting.open}
              invitedCount={openCount}
            />
          ) : (
            <GroupsLink />
          )
        }
      />
      <Stack gap="lg">
        {hasRequests && <RequestsPanel />}
        {hasInvitations && <InvitationsPanel query={invitations} shows="pending" of="retailers" />}
        <div>
          <RetailerList
            list={list}
            view={view}
            onViewChange={setView}
            onAdd={mayManage ? () => setAdding(true) : undefined}
          />
        </div>
        {hasInvitations && <InvitationsPanel query={invitations} shows="ended" of="retailers" />}
      </Stack>
      <AddRetailerDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      <AddRetailersDialog isOpen={isAddingSeveral} onClose={several.close} />
      <InviteRetailerDialog
        isOpen={isInviting}
        onClose={inviting.close}
        hasMail={invitations.data?.hasMail !== false}
      />
    </>
  )
}

function useRetailers(view: RetailersView) {
  const input = { ...pageRequest(view, RETAILER_SORT_COLUMNS), reading: view.reading }
  return trpc.retailers.page.useQuery(input, { placeholderData: keepPreviousData })
}

interface RetailerListProps {
  list: ReturnType<typeof useRetailers>
  view: RetailersView
  onViewChange: (change: RetailersView) => void
  /** Without it, the list is only looked at. */
  onAdd: (() => void) | undefined
}

/** The list, of which several rows may be selected, and the dialogs about its rows. */
function RetailerList({ list, view, onViewChange, onAdd }: RetailerListProps) {
  const dialogs = useRetailerDialogs()
  const { openRetailer, previewRetailer } = useRetailerPages(view)
  const usage = useRetailerUsage(list.data?.rows)
  const memberships = useMemberships(list.data?.rows)
  const [selected, setSelected] = useState<Set<RowKey>>(new Set())
  const clear = () => setSelected(new Set())
  return (
    <>
      <ListPanel
        one="retailer"
        many="retailers"
        list={list}
        view={view}
        onViewChange={onViewChange}
        filter={{
          control: (
            <ReadingFilter
              reading={view.reading}
              onChange={(reading) => onViewChange({ reading, page: undefined })}
            />
          ),
          isOn: view.reading !== undefined,
          onClear: () => onViewChange({ q: undefined, reading: undefined, page: undefined }),
        }}
        exportHref={toExportHref('/api/retailers.csv', {
          ...pageRequest(view, RETAILER_SORT_COLUMNS),
          reading: view.reading,
        })}
        empty={<NoRetailers onAdd={onAdd} />}
      >
        {(retailers) => (
          <>
            <SelectionBar
              count={selected.size}
              onEdit={() => dialogs.bulk.open([...selected].map(Number))}
              onClear={clear}
            />
            <RetailersTable
              retailers={retailers}
              view={view}
              onSort={(sort) => onViewChange({ sort, page: undefined })}
              onOpen={openRetailer}
              onEdit={dialogs.edit.open}
              onSettings={dialogs.settings.open}
              onDelete={dialogs.remove.open}
              onPreview={previewRetailer}
              usage={usage}
              memberships={memberships}
              selection={onAdd && { selected, onChange: setSelected }}
            />
          </>
        )}
      </ListPanel>
      <RetailerDialogs
        {...dialogs}
        onSavedSeveral={clear}
        onDeleted={(id) =>
          setSelected((before) => new Set([...before].filter((key) => key !== id)))
        }
      />
    </>
  )
}

function useRetailerPages(list: ListView) {
  const navigate = useNavigate()
  const toTarget = ({ id }: ListedRetailer) => ({
    params: { retailerId: String(id) },
    state: { list },
  })
  return {
    openRetailer: (retailer: ListedRetailer) =>
      void navigate({ to: '/supplier/retailers/$retailerId', ...toTarget(retailer) }),
    previewRetailer: (retailer: ListedRetailer) =>
      void navigate({ to: '/supplier/retailers/$retailerId/preview', ...toTarget(retailer) }),
  }
}

function NoRetailers({ onAdd }: Pick<RetailerListProps, 'onAdd'>) {
  return (
    <EmptyState
      icon={IconBuildingStore}
      title="No retailers yet"
      action={onAdd && <Button onClick={onAdd}>Add your first retailer</Button>}
    >
      {onAdd
        ? 'Each retailer gets a login and downloads the rows you let it see.'
        : 'Owners and editors of your company add them.'}
    </EmptyState>
  )
}
