import { Group, Modal, Stack } from '@mantine/core'
import { IconHistoryOff, IconSend } from '@tabler/icons-react'

import { formatCountOf } from '../../../shared/format'
import type { WebhookLogEntry, Webhook } from '../../../shared/schemas/webhook'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { RefreshButton } from '../../components/feedback/refresh-button'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { PanelButton } from '../../components/layout/panel-button'
import { RecordsDownload } from '../../components/layout/records-download'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { useWebhookActions } from './use-webhook-actions'

interface WebhookLogDialogProps {
  isOpen: boolean
  webhook: Webhook | null
  onClose: () => void
}

/** What was sent to a webhook, and what it answered. */
export function WebhookLogDialog({ isOpen, webhook, onClose }: WebhookLogDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} size={820} title="Webhook Log">
      {webhook && <WebhookLog id={webhook.id} />}
    </Modal>
  )
}

function WebhookLog({ id }: { id: number }) {
  // The list changes without a call of the user, and no event says so.
  const list = trpc.webhooks.deliveries.useQuery({ id }, { refetchOnMount: 'always' })
  const { sendTest, sendAgain } = useWebhookActions()
  const maySend = useMay('manage')
  if (list.isError && !list.data) {
    return <LoadError title="The log could not be loaded" query={list} />
  }
  return (
    <Stack gap="sm">
      <Group gap="xs" justify="flex-end">
        {maySend && (
          <PanelButton
            icon={IconSend}
            loading={sendTest.isPending}
            onClick={() => sendTest.mutate({ id })}
          >
            Send test
          </PanelButton>
        )}
        {list.data && list.data.length > 0 && (
          <RecordsDownload rows={list.data} columns={CSV_COLUMNS} fileName="deliveries.csv" />
        )}
        <RefreshButton size="xs" onRefresh={list.refetch} />
      </Group>
      {list.data?.length === 0 ? (
        <EmptyState icon={IconHistoryOff} title="Nothing sent yet">
          A test shows whether your program receives what is sent.
        </EmptyState>
      ) : (
        <DataTable
          label="Requests"
          columns={[
            ...LOG_COLUMNS,
            ...(maySend ? [sendColumn((deliveryId) => sendAgain.mutate({ id, deliveryId }))] : []),
          ]}
          rows={list.data}
          rowKey={(delivery) => delivery.id}
        />
      )}
    </Stack>
  )
}

const CSV_COLUMNS: Record<string, (entry: WebhookLogEntry) => string | number | null> = {
  event: ({ kind }) => kind,
  title: ({ title }) => title,
  createdAt: ({ createdAt }) => createdAt,
  status: ({ status }) => status,
  attempts: ({ attempts }) => attempts,
  lastAttemptAt: ({ lastAttemptAt }) => lastAttemptAt,
  nextAttemptAt: ({ nextAttemptAt }) => nextAttemptAt,
  answer: ({ answer }) => answer,
}

const LOG_COLUMNS: Column<WebhookLogEntry>[] = [
  {
    id: 'event',
    header: 'Event',
    minWidth: 180,
    cell: ({ title, createdAt }) => (
      <>
        <Truncated text={title} lines={2} />
        <TimeAgo instant={createdAt} />
      </>
    ),
  },
  { id: 'status', header: 'Result', width: 150, cell: (delivery) => <Status {...delivery} /> },
  {
    id: 'answer',
    header: 'Answer',
    minWidth: 160,
    cell: ({ answer, nextAttemptAt, attempts }) => (
      <>
        <Truncated text={answer ?? '–'} lines={2} />
        {nextAttemptAt !== null && attempts > 0 && (
          <>
            Next try <TimeAgo instant={nextAttemptAt} />
          </>
        )}
      </>
    ),
  },
]

const sendColumn = (onSendAgain: (id: number) => void): Column<WebhookLogEntry> => ({
  id: 'actions',
  header: 'Actions',
  align: 'right',
  actionCount: 1,
  cell: ({ id, title, status }) =>
    status !== 'waiting' && (
      <RowActions
        rowName={title}
        actions={[{ label: 'Send again', icon: IconSend, onClick: () => onSendAgain(id) }]}
      />
    ),
})

function Status({ status, attempts }: WebhookLogEntry) {
  if (status === 'delivered') return <StatusBadge tone="good">Delivered</StatusBadge>
  const tries = formatCountOf(attempts, 'try', 'tries')
  if (status === 'failed') return <StatusBadge tone="bad">Given up, {tries}</StatusBadge>
  return <StatusBadge tone="busy">{attempts === 0 ? 'Waiting' : `Trying, ${tries}`}</StatusBadge>
}
