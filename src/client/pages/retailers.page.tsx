import { Button, Pagination } from '@mantine/core'
import { IconBuildingStore, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'

import { DEFAULT_MAX_RETAILERS } from '../../shared/constants'
import { formatCount } from '../../shared/format'
import type { Retailer } from '../../shared/schemas/retailer'
import { lazyDialog } from '../components/lazy-dialog'
import { ListToolbar } from '../components/list-toolbar'
import { EmptyState, ErrorState } from '../components/message-state'
import { PageHeader } from '../components/page-header'
import { Panel } from '../components/panel'
import { retailerListReading, RetailersTable } from '../features/retailers/retailers-table'
import { errorMessage } from '../lib/error-message'
import { applyListView, type ListView } from '../lib/list-view'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { useSignedInUser } from '../session/current-user'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './list-page.module.css'

const AddRetailerDialog = lazyDialog(
  async () => (await import('../features/retailers/add-retailer-dialog')).AddRetailerDialog,
)

const EditRetailerDialog = lazyDialog(
  async () => (await import('../features/retailers/edit-retailer-dialog')).EditRetailerDialog,
)

const RetailerSettingsDialog = lazyDialog(
  async () =>
    (await import('../features/retailers/retailer-settings-dialog')).RetailerSettingsDialog,
)

const DeleteRetailerDialog = lazyDialog(
  async () => (await import('../features/retailers/delete-retailer-dialog')).DeleteRetailerDialog,
)

/** §2, Retailers list. */
export function RetailersPage() {
  usePageTitle('Retailers')
  const user = useSignedInUser()
  const list = trpc.retailers.list.useQuery()
  const navigate = useNavigate()
  const view = useSearch({ from: '/supplier/supplier/retailers' })
  const maxRetailers = user.maxRetailers ?? DEFAULT_MAX_RETAILERS
  const isFull = list.data !== undefined && list.data.length >= maxRetailers
  const setAdding = (isAdding: boolean) =>
    void navigate({
      to: '.',
      search: { ...view, add: isAdding ? true : undefined },
      replace: !isAdding,
    })

  return (
    <>
      <PageHeader
        title="Retailers"
        subtitle={
          list.data
            ? `${formatCount(list.data.length)} of ${formatCount(maxRetailers)} retailers in use`
            : 'The stores that get your inventory'
        }
        actions={
          <div className={classes.limited}>
            <Button
              leftSection={<IconPlus size={16} aria-hidden="true" />}
              disabled={isFull}
              aria-describedby={isFull ? 'retailer-limit' : undefined}
              onClick={() => setAdding(true)}
            >
              Add Retailer
            </Button>
            {isFull && (
              <p id="retailer-limit" className={classes.limit}>
                Limit reached: all {formatCount(maxRetailers)} allowed retailers are in use. An
                administrator can raise the limit.
              </p>
            )}
          </div>
        }
      />
      <RetailersPanel onAdd={() => setAdding(true)} />
      <AddRetailerDialog isOpen={view.add === true && !isFull} onClose={() => setAdding(false)} />
    </>
  )
}

function RetailersPanel({ onAdd }: { onAdd: () => void }) {
  const list = trpc.retailers.list.useQuery()
  const navigate = useNavigate()
  const view: ListView = useSearch({ from: '/supplier/supplier/retailers' })
  const setView = (change: ListView) =>
    void navigate({ to: '.', search: { ...view, ...change }, replace: true })
  const edit = useDialogSubject<Retailer>()
  const settings = useDialogSubject<Retailer>()
  const remove = useDialogSubject<Retailer>()

  if (list.isError) {
    return (
      <Panel>
        <ErrorState
          title="The retailers could not be loaded"
          message={errorMessage(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      </Panel>
    )
  }
  if (list.data?.length === 0) {
    return (
      <Panel>
        <EmptyState
          icon={<IconBuildingStore size={20} stroke={1.75} />}
          title="No retailers yet"
          action={<Button onClick={onAdd}>Add your first retailer</Button>}
        >
          A retailer gets a login of its own, and downloads the rows that you let it see.
        </EmptyState>
      </Panel>
    )
  }
  const page = list.data && applyListView(list.data, view, retailerListReading)
  return (
    <>
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
          label="Search retailers"
          query={view.q ?? ''}
          onQueryChange={(q) => setView({ q: q || undefined, page: undefined })}
        >
          {page && view.q && `${formatCount(page.matchCount)} found`}
        </ListToolbar>
        {page?.matchCount === 0 ? (
          <EmptyState
            icon={<IconSearchOff size={20} stroke={1.75} />}
            title="No retailer matches"
            action={
              <Button variant="default" onClick={() => setView({ q: undefined, page: undefined })}>
                Clear filters
              </Button>
            }
          >
            Nothing was found for “{view.q}”.
          </EmptyState>
        ) : (
          <RetailersTable
            retailers={page?.rows}
            sort={view.sort}
            onSort={(sort) => setView({ sort, page: undefined })}
            onOpen={({ id }) =>
              void navigate({
                to: '/supplier/retailers/$retailerId',
                params: { retailerId: String(id) },
              })
            }
            onEdit={edit.open}
            onSettings={settings.open}
            onDelete={remove.open}
          />
        )}
      </Panel>
      <EditRetailerDialog isOpen={edit.isOpen} retailer={edit.subject} onClose={edit.close} />
      <RetailerSettingsDialog
        isOpen={settings.isOpen}
        retailer={settings.subject}
        onClose={settings.close}
      />
      <DeleteRetailerDialog
        isOpen={remove.isOpen}
        retailer={remove.subject}
        onClose={remove.close}
      />
    </>
  )
}
