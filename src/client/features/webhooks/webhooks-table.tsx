import { IconHistory, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'

import { ALERT_LABELS } from '../../../shared/alert-text'
import type { Webhook } from '../../../shared/schemas/webhook'
import { DataTable } from '../../components/data-table'
import { RowActions } from '../../components/row-actions'
import { StatusBadge } from '../../components/status-badge'
import type { Column } from '../../components/table-column'
import { Truncated } from '../../components/truncated'

interface WebhooksTableProps {
  webhooks: readonly Webhook[] | undefined
  /** The one that a test is being sent to. */
  testedId: number | undefined
  onEdit: (webhook: Webhook) => void
  onTest: (webhook: Webhook) => void
  onShowLog: (webhook: Webhook) => void
  onDelete: (webhook: Webhook) => void
}

export function WebhooksTable(props: WebhooksTableProps) {
  return (
    <DataTable
      label="Webhooks"
      columns={webhookColumns(props)}
      rows={props.webhooks}
      rowKey={({ id }) => id}
    />
  )
}

function webhookColumns(props: WebhooksTableProps): Column<Webhook>[] {
  return [
    {
      id: 'url',
      header: 'Address',
      minWidth: 180,
      cell: ({ url }) => <Truncated text={url} tone="strong" />,
    },
    {
      id: 'kinds',
      header: 'When',
      minWidth: 150,
      cell: ({ kinds }) => (
        <Truncated text={kinds.map((kind) => ALERT_LABELS[kind].label).join(', ')} lines={2} />
      ),
    },
    {
      id: 'state',
      header: 'Last request',
      minWidth: 150,
      cell: (webhook) => <Last {...webhook} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      actionCount: 4,
      cell: (webhook) => (
        <RowActions
          rowName={webhook.url}
          actions={[
            {
              label: 'Send test',
              name: 'Send a test to',
              icon: IconSend,
              isPending: props.testedId === webhook.id,
              onClick: () => props.onTest(webhook),
            },
            {
              label: 'Log',
              name: 'Log of',
              icon: IconHistory,
              onClick: () => props.onShowLog(webhook),
            },
            { label: 'Edit', icon: IconPencil, onClick: () => props.onEdit(webhook) },
            {
              label: 'Delete',
              icon: IconTrash,
              isDestructive: true,
              onClick: () => props.onDelete(webhook),
            },
          ]}
        />
      ),
    },
  ]
}

function Last({ isActive, last }: Webhook) {
  if (!isActive) return <StatusBadge tone="neutral">Paused</StatusBadge>
  if (!last) return <StatusBadge tone="neutral">None yet</StatusBadge>
  return <StatusBadge tone={last.isDelivered ? 'good' : 'bad'}>{last.answer}</StatusBadge>
}
