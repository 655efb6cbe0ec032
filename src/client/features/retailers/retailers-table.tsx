import { IconAdjustmentsHorizontal, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'

import type { Membership } from '../../../shared/schemas/group'
import type { ListedRetailer, RetailerUsage } from '../../../shared/schemas/retailer'
import { storeUrlToHref } from '../../../shared/web-address'
import { StatusBadge } from '../../components/feedback/status-badge'
import { ExternalLink } from '../../components/layout/external-link'
import { TextLink } from '../../components/layout/links'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions, type RowAction } from '../../components/table/row-actions'
import type { RowSelection } from '../../components/table/row-selection'
import type { Column } from '../../components/table/table-column'
import type { ListView } from '../../lib/list-view'
import { formatDate } from '../../lib/time-format'
import { retailerName } from './retailer-names'
import { LastRead, VisibleRows } from './usage-cells'

interface RetailersTableProps {
  retailers: readonly ListedRetailer[] | undefined
  view: ListView
  onSort: (sort: string | undefined) => void
  onOpen: (retailer: ListedRetailer) => void
  onEdit: (retailer: ListedRetailer) => void
  onSettings: (retailer: ListedRetailer) => void
  onDelete: (retailer: ListedRetailer) => void
  onPreview: (retailer: ListedRetailer) => void
  /** What is known of each retailer by its id; undefined while loading. */
  usage: ReadonlyMap<number, RetailerUsage> | undefined
  /** The group of each retailer by its id; undefined while there are no groups. */
  memberships: ReadonlyMap<number, Membership> | undefined
  /** Several are changed at once; without it, all are only looked at. */
  selection: Pick<RowSelection<ListedRetailer>, 'selected' | 'onChange'> | undefined
}

export function RetailersTable(props: RetailersTableProps) {
  return (
    <DataTable
      label="Retailers"
      columns={retailerColumns(props)}
      rows={props.retailers}
      rowKey={({ id }) => id}
      sort={props.view.sort}
      onSort={props.onSort}
      onRowClick={props.onOpen}
      selection={props.selection && { ...props.selection, rowName: retailerName }}
    />
  )
}

/** Columns: Store Name (or N/A), Store URL, Created At, Status, then ours, and Actions at the end. */
function retailerColumns(props: RetailersTableProps): Column<ListedRetailer>[] {
  return [
    {
      id: 'storeName',
      header: 'Store Name',
      minWidth: 200,
      isSortable: true,
      cell: (retailer) => (
        <>
          <StoreName retailer={retailer} list={props.view} />
          <GroupNote membership={props.memberships?.get(retailer.id)} />
        </>
      ),
    },
    {
      id: 'storeUrl',
      header: 'Store URL',
      isSortable: true,
      cell: ({ storeUrl }) => <StoreLink storeUrl={storeUrl} />,
    },
    {
      id: 'createdAt',
      header: 'Created At',
      isSortable: true,
      width: 120,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
    },
    {
      id: 'status',
      header: 'Status',
      width: 96,
      cell: () => <StatusBadge tone="good">Active</StatusBadge>,
    },
    {
      id: 'visibleRows',
      header: 'Visible Rows',
      align: 'right',
      width: 112,
      cell: ({ id }) => <VisibleRows usage={props.usage} id={id} />,
    },
    {
      id: 'lastRead',
      header: 'Last Read',
      width: 156,
      cell: ({ id }) => <LastRead usage={props.usage} id={id} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      actionCount: props.selection ? 4 : 1,
      cell: (retailer) => (
        <RowActions rowName={retailerName(retailer)} actions={retailerActions(retailer, props)} />
      ),
    },
  ]
}

const retailerActions = (
  retailer: ListedRetailer,
  { onEdit, onSettings, onDelete, onPreview, selection }: RetailersTableProps,
): RowAction[] => [
  ...(selection
    ? [
        { label: 'Edit', icon: IconPencil, onClick: () => onEdit(retailer) },
        {
          label: 'Settings',
          name: 'Settings of',
          icon: IconAdjustmentsHorizontal,
          onClick: () => onSettings(retailer),
        },
        {
          label: 'Delete',
          icon: IconTrash,
          isDestructive: true,
          onClick: () => onDelete(retailer),
        },
      ]
    : []),
  {
    label: 'Preview as this retailer',
    name: 'Preview as',
    icon: IconEye,
    onClick: () => onPreview(retailer),
  },
]

function StoreName({ retailer, list }: { retailer: ListedRetailer; list: ListView }) {
  const name = retailer.storeName || 'N/A'
  return (
    <Truncated text={name}>
      <TextLink
        to="/supplier/retailers/$retailerId"
        params={{ retailerId: String(retailer.id) }}
        state={{ list }}
        c="var(--mantine-color-text)"
        fw={600}
        data-truncates
      >
        {name}
      </TextLink>
    </Truncated>
  )
}

/** Its group, and how many settings it has of its own. */
function GroupNote({ membership }: { membership: Membership | undefined }) {
  if (membership?.groupName == null) return null
  const { groupName, own } = membership
  return (
    <Truncated
      text={own.length === 0 ? groupName : `${groupName}, ${own.length} of its own`}
      tone="note"
    />
  )
}

function StoreLink({ storeUrl }: { storeUrl: string | null }) {
  if (!storeUrl) return 'N/A'
  const href = storeUrlToHref(storeUrl)
  return href ? (
    <ExternalLink href={href}>{storeUrl}</ExternalLink>
  ) : (
    <Truncated text={storeUrl} dir="ltr" />
  )
}
