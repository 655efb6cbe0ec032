import { IconPlus, IconWebhook } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Webhook } from '../../../shared/schemas/webhook'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { RecordsDownload } from '../../components/layout/records-download'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { useWebhookActions } from './use-webhook-actions'
import { WebhooksTable } from './webhooks-table'

const WebhookDialog = lazyDialog(async () => (await import('./webhook-dialog')).WebhookDialog)
const WebhookLogDialog = lazyDialog(
  async () => (await import('./webhook-log-dialog')).WebhookLogDialog,
)

/** Addresses of the user that are told by signed requests. */
export function WebhooksPanel() {
  const list = trpc.webhooks.list.useQuery()
  const { sendTest, switchOn, remove } = useWebhookActions()
  const editing = useDialogSubject<Webhook | null>()
  const log = useDialogSubject<Webhook>()
  const deletion = useDialogSubject<Webhook>()
  const mayChange = useMay('manage')
  const addButton = mayChange && <AddButton onClick={() => editing.open(null)} />
  const isEmpty = list.data?.length === 0
  return (
    <Panel
      title="Webhooks"
      description={
        <>
          Requests to an address of yours, signed after Standard Webhooks.{' '}
          <TextLink inherit to="/api-docs" search={{ q: 'event' }}>
            What they contain
          </TextLink>
        </>
      }
      actions={
        list.data &&
        !isEmpty && (
          <>
            <RecordsDownload rows={list.data} columns={CSV_COLUMNS} fileName="webhooks.csv" />
            {addButton}
          </>
        )
      }
      isFlush
    >
      {list.isError && !list.data ? (
        <LoadError isCompact title="The webhooks could not be loaded" query={list} />
      ) : isEmpty ? (
        <NoWebhooks addButton={addButton} />
      ) : (
        <WebhooksTable
          webhooks={list.data}
          mayChange={mayChange}
          testedId={sendTest.isPending ? sendTest.variables.id : undefined}
          onEdit={editing.open}
          onTest={({ id }) => sendTest.mutate({ id })}
          onShowLog={log.open}
          onDelete={deletion.open}
          switchedId={switchOn.isPending ? switchOn.variables.id : undefined}
          onSwitchOn={({ id, url, kinds }) => switchOn.mutate({ id, url, kinds, isActive: true })}
        />
      )}
      <WebhookDialog isOpen={editing.isOpen} webhook={editing.subject} onClose={editing.close} />
      <WebhookLogDialog isOpen={log.isOpen} webhook={log.subject} onClose={log.close} />
      <ConfirmDialog
        isOpen={deletion.isOpen}
        onClose={deletion.close}
        title="Delete the webhook"
        confirmLabel="Delete"
        isPending={remove.isPending}
        onConfirm={() =>
          deletion.subject &&
          remove.mutate({ id: deletion.subject.id }, { onSuccess: deletion.close })
        }
      >
        Nothing more is sent to {deletion.subject?.url}, and its log is deleted.
      </ConfirmDialog>
    </Panel>
  )
}

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <PanelButton icon={IconPlus} onClick={onClick}>
    Add Webhook
  </PanelButton>
)

const NoWebhooks = ({ addButton }: { addButton: ReactNode }) => (
  <EmptyState isCompact icon={IconWebhook} title="No webhooks" action={addButton}>
    Have your own program told at once when a feed fails or a file is held.
  </EmptyState>
)

const CSV_COLUMNS = {
  address: ({ url }: Webhook) => url,
  events: ({ kinds }: Webhook) => kinds.join(', '),
  active: ({ isActive }: Webhook) => (isActive ? 'yes' : 'no'),
  created: ({ createdAt }: Webhook) => createdAt,
  'switched off': ({ switchedOffAt }: Webhook) => switchedOffAt,
  'last delivered': ({ last }: Webhook) => last && (last.isDelivered ? 'yes' : 'no'),
  'last answer': ({ last }: Webhook) => last && last.answer,
}
