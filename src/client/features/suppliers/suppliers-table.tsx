import { IconPencil } from '@tabler/icons-react'

import { formatCount } from '../../../shared/format'
import type { ListedSupplier } from '../../../shared/schemas/supplier'
import { TextLink } from '../../components/layout/links'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions } from '../../components/table/row-actions'
import { RowSwitch } from '../../components/table/row-switch'
import type { Column } from '../../components/table/table-column'
import type { ListView } from '../../lib/list-view'
import { formatDate } from '../../lib/time-format'
import { SupplierHealth } from './supplier-health'

interface SuppliersTableProps {
  suppliers: readonly ListedSupplier[] | undefined
  view: ListView
  onSort: (sort: string | undefined) => void
  /** Id of the supplier whose switch is being saved. */
  savingId: number | undefined
  onToggle: (supplier: ListedSupplier, isActive: boolean) => void
  onEdit: (supplier: ListedSupplier) => void
  onOpen: (supplier: ListedSupplier) => void
}

export function SuppliersTable(props: SuppliersTableProps) {
  return (
    <DataTable
      label="Suppliers"
      columns={supplierColumns(props)}
      rows={props.suppliers}
      rowKey={({ id }) => id}
      sort={props.view.sort}
      onSort={props.onSort}
      onRowClick={props.onOpen}
      renderDetail={(supplier) => <SupplierHealth supplier={supplier} />}
    />
  )
}

/** Columns: Company Name, Username, Contact Email, Max Retailers, Created At, Status, Actions. */
function supplierColumns(props: SuppliersTableProps): Column<ListedSupplier>[] {
  return [
    {
      id: 'companyName',
      header: 'Company Name',
      minWidth: 152,
      isSortable: true,
      cell: (supplier) => <CompanyName supplier={supplier} list={props.view} />,
    },
    {
      id: 'username',
      header: 'Username',
      isSortable: true,
      width: 136,
      cell: ({ username }) => username,
    },
    {
      id: 'contactEmail',
      header: 'Contact Email',
      isSortable: true,
      cell: ({ contactEmail }) => contactEmail ?? 'N/A',
    },
    {
      id: 'maxRetailers',
      header: 'Max Retailers',
      isSortable: true,
      align: 'right',
      width: 132,
      cell: ({ maxRetailers }) => (maxRetailers === null ? 'N/A' : formatCount(maxRetailers)),
    },
    {
      id: 'createdAt',
      header: 'Created At',
      isSortable: true,
      width: 124,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
    },
    {
      id: 'isActive',
      header: 'Status',
      isSortable: true,
      width: 132,
      cell: (supplier) => <ActiveSwitch supplier={supplier} {...props} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      actionCount: 1,
      cell: (supplier) => (
        <RowActions
          rowName={rowName(supplier)}
          actions={[{ label: 'Edit', icon: IconPencil, onClick: () => props.onEdit(supplier) }]}
        />
      ),
    },
  ]
}

const rowName = ({ companyName, username }: ListedSupplier) => companyName ?? username

function CompanyName({ supplier, list }: { supplier: ListedSupplier; list: ListView }) {
  const name = supplier.companyName ?? 'N/A'
  return (
    <Truncated text={name}>
      <TextLink
        to="/dashboard/super-admin/suppliers/$supplierId"
        params={{ supplierId: String(supplier.id) }}
        state={{ list }}
        c="var(--mantine-color-text)"
        fw={600}
      >
        {name}
      </TextLink>
    </Truncated>
  )
}

interface ActiveSwitchProps extends Pick<SuppliersTableProps, 'savingId' | 'onToggle'> {
  supplier: ListedSupplier
}

const ActiveSwitch = ({ supplier, savingId, onToggle }: ActiveSwitchProps) => (
  <RowSwitch
    label={`${rowName(supplier)} is active`}
    isOn={supplier.isActive}
    isSaving={savingId === supplier.id}
    onText="Active"
    offText="Inactive"
    onToggle={(isActive) => onToggle(supplier, isActive)}
  />
)
