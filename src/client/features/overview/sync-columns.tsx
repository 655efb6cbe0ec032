import { IconCircleX } from '@tabler/icons-react'

import type { SyncActivity } from '../../../shared/schemas/operations'
import { TextLink } from '../../components/layout/links'
import { Truncated } from '../../components/layout/truncated'
import { RowActions } from '../../components/table/row-actions'
import type { CancellableSync } from './cancel-sync-dialog'

type Place = Pick<
  SyncActivity['running'][number],
  'supplierId' | 'supplierName' | 'connectionId' | 'connectionName'
>

/** Of a file for spreadsheets. */
export const PLACE_CSV = {
  supplier: ({ supplierName }: Place) => supplierName,
  connection: ({ connectionName }: Place) => connectionName,
}

/** Links to the page of the sync's supplier. */
export const supplierColumn = {
  id: 'supplier',
  header: 'Supplier',
  cell: ({ supplierId, supplierName }: Place) => (
    <Truncated text={supplierName}>
      <TextLink
        to="/dashboard/super-admin/suppliers/$supplierId"
        params={{ supplierId: String(supplierId) }}
        c="var(--mantine-color-text)"
        fw={600}
      >
        {supplierName}
      </TextLink>
    </Truncated>
  ),
}

export const connectionColumn = {
  id: 'connection',
  header: 'Connection',
  cell: ({ connectionName }: Place) => <Truncated text={connectionName} />,
}

export const cancelColumn = (onCancel: (sync: CancellableSync) => void) => ({
  id: 'actions',
  header: 'Actions',
  align: 'right' as const,
  actionCount: 1,
  cell: (sync: Place) => (
    <RowActions
      rowName={`${sync.connectionName} of ${sync.supplierName}`}
      actions={[
        {
          label: 'Cancel sync',
          icon: IconCircleX,
          isDestructive: true,
          onClick: () => onCancel(sync),
        },
      ]}
    />
  ),
})
