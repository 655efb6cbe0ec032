import { IconPencil, IconTrash } from '@tabler/icons-react'

import { formatCount, formatSyncFrequency } from '../../../shared/format'
import type { ListedGroup } from '../../../shared/schemas/group'
import { StatusBadge } from '../../components/feedback/status-badge'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'
import { SHOP_FORMAT_LABELS } from '../../lib/shop-format-labels'

interface GroupsTableProps {
  groups: readonly ListedGroup[]
  /** Without them, groups are only looked at. */
  onEdit: ((group: ListedGroup) => void) | undefined
  onDelete: ((group: ListedGroup) => void) | undefined
}

export function GroupsTable({ groups, ...actions }: GroupsTableProps) {
  return (
    <DataTable
      label="Groups"
      columns={toColumns(actions)}
      rows={groups}
      rowKey={({ id }) => id}
      onRowClick={actions.onEdit}
    />
  )
}

function toColumns({ onEdit, onDelete }: Omit<GroupsTableProps, 'groups'>): Column<ListedGroup>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      minWidth: 200,
      cell: ({ name, isForNewcomers }) => (
        <>
          <Truncated text={name} />
          {isForNewcomers && <StatusBadge tone="neutral">Newcomers</StatusBadge>}
        </>
      ),
    },
    {
      id: 'members',
      header: 'Retailers',
      align: 'right',
      width: 150,
      cell: ({ memberCount, deviatingCount }) => (
        <>
          <div>{formatCount(memberCount)}</div>
          {deviatingCount > 0 && (
            <Truncated text={`${formatCount(deviatingCount)} with own settings`} tone="note" />
          )}
        </>
      ),
    },
    {
      id: 'products',
      header: 'Products',
      width: 110,
      cell: ({ allProducts }) => (allProducts ? 'All' : 'By category'),
    },
    {
      id: 'frequency',
      header: 'Frequency',
      width: 120,
      cell: ({ syncFrequency }) => formatSyncFrequency(syncFrequency),
    },
    {
      id: 'format',
      header: 'Format',
      width: 150,
      cell: ({ formatKind }) => <Truncated text={SHOP_FORMAT_LABELS[formatKind].label} />,
    },
    ...(onEdit && onDelete
      ? [
          {
            id: 'actions',
            header: 'Actions',
            align: 'right',
            actionCount: 2,
            cell: (group) => (
              <RowActions
                rowName={group.name}
                actions={[
                  { label: 'Edit', icon: IconPencil, onClick: () => onEdit(group) },
                  {
                    label: 'Delete',
                    icon: IconTrash,
                    isDestructive: true,
                    onClick: () => onDelete(group),
                  },
                ]}
              />
            ),
          } satisfies Column<ListedGroup>,
        ]
      : []),
  ]
}
