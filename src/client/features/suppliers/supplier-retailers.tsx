import { Title } from '@mantine/core'
import { IconBuildingStore, IconEye, IconUsers } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'

import { RETAILER_SORT_COLUMNS } from '../../../shared/constants'
import { formatSyncFrequency } from '../../../shared/format'
import type { ListedRetailer } from '../../../shared/schemas/retailer'
import { EmptyState } from '../../components/feedback/message-state'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { ListPanel } from '../../components/table/list-panel'
import { RowActions } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'
import { toExportHref } from '../../lib/export-href'
import { pageRequest } from '../../lib/list-view'
import { formatDate } from '../../lib/time-format'
import { useListView } from '../../lib/use-list-view'
import { useViewAs } from '../../session/use-view-as'
import { trpc } from '../../trpc'

/** A supplier's retailers, to look at. */
export function SupplierRetailers({ supplierId }: { supplierId: number }) {
  const [view, setView] = useListView()
  const list = trpc.suppliers.retailers.useQuery(
    { id: supplierId, ...pageRequest(view, RETAILER_SORT_COLUMNS) },
    { placeholderData: keepPreviousData },
  )
  const viewAs = useViewAs()
  const navigate = useNavigate()
  const openPeople = ({ userId }: ListedRetailer) =>
    void navigate({
      to: '/dashboard/super-admin/suppliers/$supplierId/retailers/$userId/people',
      params: { supplierId: String(supplierId), userId: String(userId) },
    })
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <Title order={2} id={titleId} mt={28} mb={12}>
        Retailers
      </Title>
      <ListPanel
        one="retailer"
        many="retailers"
        list={list}
        view={view}
        onViewChange={setView}
        exportHref={toExportHref('/api/retailers.csv', {
          supplierId,
          ...pageRequest(view, RETAILER_SORT_COLUMNS),
        })}
        empty={<NoRetailers />}
      >
        {(retailers) => (
          <DataTable
            label="Retailers"
            columns={[...COLUMNS, actionsColumn(viewAs, openPeople)]}
            rows={retailers}
            rowKey={({ id }) => id}
            sort={view.sort}
            onSort={(sort) => setView({ sort, page: undefined })}
          />
        )}
      </ListPanel>
    </section>
  )
}

function NoRetailers() {
  return (
    <EmptyState isCompact icon={IconBuildingStore} title="No retailers yet">
      The supplier adds its retailers itself.
    </EmptyState>
  )
}

const COLUMNS: Column<ListedRetailer>[] = [
  {
    id: 'storeName',
    header: 'Store Name',
    isSortable: true,
    cell: ({ storeName }) => <Truncated text={storeName || 'N/A'} tone="strong" />,
  },
  { id: 'username', header: 'Username', cell: ({ username }) => username },
  {
    id: 'storeUrl',
    header: 'Store URL',
    isSortable: true,
    cell: ({ storeUrl }) => <Truncated text={storeUrl || 'N/A'} dir="ltr" />,
  },
  {
    id: 'syncFrequency',
    header: 'Sync Frequency',
    width: 148,
    cell: ({ syncFrequency }) => formatSyncFrequency(syncFrequency),
  },
  {
    id: 'createdAt',
    header: 'Created At',
    isSortable: true,
    width: 132,
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
  },
]

function actionsColumn(
  viewAs: ReturnType<typeof useViewAs>,
  onOpenPeople: (retailer: ListedRetailer) => void,
): Column<ListedRetailer> {
  return {
    id: 'actions',
    header: 'Actions',
    align: 'right',
    actionCount: 2,
    cell: (retailer) => (
      <RowActions
        rowName={retailer.storeName || retailer.username}
        actions={[
          {
            label: 'View as',
            icon: IconEye,
            isPending: viewAs.isPending && viewAs.variables.userId === retailer.userId,
            onClick: () => viewAs.mutate({ userId: retailer.userId }),
          },
          {
            label: 'People',
            name: 'People of',
            icon: IconUsers,
            onClick: () => onOpenPeople(retailer),
          },
        ]}
      />
    ),
  }
}
