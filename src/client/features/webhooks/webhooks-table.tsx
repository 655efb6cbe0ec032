import { IconHistory, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'

import { ALERT_LABELS } from '../../../shared/alert-text'
import type { Webhook } from '../../../shared/schemas/webhook'
import { PendingButton } from '../../components/feedback/pending-button'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions, type RowAction } from '../../components/table/row-actions'
import { RowProblem } from '../../components/table/row-problem'
import type { Column } from '../../components/table/table-column'

interface WebhooksTableProps {
  webhooks: readonly Webhook[] | undefined
  /** Otherwise they are only looked at. */
  mayChange: boolean
  /** The one that a test is being sent to. */
  testedId: number | undefined
  onEdit: (webhook: Webhook) => void
  onTest: (webhook: Webhook) => void
  onShowLog: (webhook: Webhook) => void
  onDelete: (webhook: Webhook) => void
  /** The one that is being switched on again. */
  switchedId: number | undefined
  onSwitchOn: (webhook: Webhook) => void
}

export function WebhooksTable(props: WebhooksTableProps) {
  return (
    <DataTable
      label="Webhooks"
      columns={webhookColumns(props)}
      rows={props.webhooks}
      rowKey={({ id }) => id}
      renderDetail={(webhook) =>
        webhook.switchedOffAt !== null && (
          <SwitchedOff
            {...webhook}
            switchedOffAt={webhook.switchedOffAt}
            isPending={props.switchedId === webhook.id}
            onSwitchOn={props.mayChange ? () => props.onSwitchOn(webhook) : undefined}
          />
        )
      }
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
      actionCount: props.mayChange ? 4 : 1,
      cell: (webhook) => (
        <RowActions rowName={webhook.url} actions={webhookActions(webhook, props)} />
      ),
    },
  ]
}

function webhookActions(webhook: Webhook, props: WebhooksTableProps): RowAction[] {
  const log = {
    label: 'Log',
    name: 'Log of',
    icon: IconHistory,
    onClick: () => props.onShowLog(webhook),
  }
  if (!props.mayChange) return [log]
  return [
    {
      label: 'Send test',
      name: 'Send a test to',
      icon: IconSend,
      isPending: props.testedId === webhook.id,
      onClick: () => props.onTest(webhook),
    },
    log,
    { label: 'Edit', icon: IconPencil, onClick: () => props.onEdit(webhook) },
    {
      label: 'Delete',
      icon: IconTrash,
      isDestructive: true,
      onClick: () => props.onDelete(webhook),
    },
  ]
}

interface SwitchedOffProps {
  url: string
  switchedOffAt: string
  isPending: boolean
  onSwitchOn: (() => void) | undefined
}

function SwitchedOff({ url, switchedOffAt, isPending, onSwitchOn }: SwitchedOffProps) {
  return (
    <RowProblem
      title="Switched off"
      action={
        onSwitchOn && (
          <PendingButton
            variant="default"
            size="compact-sm"
            isPending={isPending}
            aria-label={`Switch on ${url}`}
            onClick={onSwitchOn}
          >
            Switch on
          </PendingButton>
        )
      }
    >
      <TimeAgo instant={switchedOffAt} />, because every request had failed for a day. Nothing is
      sent to it.{onSwitchOn && ' Send a test to see whether it works.'}
    </RowProblem>
  )
}

function Last({ isActive, switchedOffAt, last }: Webhook) {
  if (!isActive && switchedOffAt === null) return <StatusBadge tone="neutral">Paused</StatusBadge>
  if (!last) return <StatusBadge tone="neutral">None yet</StatusBadge>
  return (
    <>
      <StatusBadge tone={last.isDelivered ? 'good' : 'bad'}>
        {last.isDelivered ? 'Received' : 'Failed'}
      </StatusBadge>
      <Truncated text={last.answer} tone="note" lines={2} />
    </>
  )
}
