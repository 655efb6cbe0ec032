import { Button, Checkbox, Stack, Switch } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'

import { ALERT_LABELS } from '../../../shared/alert-text'
import { listAlertKinds } from '../../../shared/alerts'
import { createWebhookInput, type Webhook } from '../../../shared/schemas/webhook'
import { DialogActions } from '../../components/dialog/dialog-actions'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { UrlInput } from '../../components/form/url-input'
import { ValidatedForm } from '../../components/form/validated-form'
import { CopyableCode } from '../../components/layout/copyable-code'
import { maskedAddressHint } from '../../lib/masked-address-hint'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'

interface WebhookDialogProps {
  isOpen: boolean
  /** null to add one. */
  webhook: Webhook | null
  onClose: () => void
}

/** Adds or edits a webhook. The secret of a new one is shown once. */
export function WebhookDialog({ isOpen, webhook, onClose }: WebhookDialogProps) {
  const title = webhook ? 'Edit Webhook' : 'Add Webhook'
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={title}>
      <Content webhook={webhook} onClose={onClose} />
    </FormDialog>
  )
}

type ContentProps = Pick<WebhookDialogProps, 'webhook' | 'onClose'>

function Content({ webhook, onClose }: ContentProps) {
  const [secret, setSecret] = useState<string>()
  return secret === undefined ? (
    <WebhookForm webhook={webhook} onCreated={setSecret} onClose={onClose} />
  ) : (
    <NewSecret secret={secret} onClose={onClose} />
  )
}

function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <div>
        Copy the secret now: it is shown only once. Your program checks with it that a request is
        from here and unchanged.
      </div>
      <CopyableCode code={secret} label="the secret" />
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Stack>
  )
}

function WebhookForm({
  webhook,
  onCreated,
  onClose,
}: ContentProps & { onCreated: (secret: string) => void }) {
  const { role } = useSignedInUser()
  const form = useForm({
    initialValues: {
      url: webhook?.url ?? '',
      kinds: webhook?.kinds ?? listAlertKinds(role).filter((kind) => kind !== 'feed.published'),
      isActive: webhook?.isActive ?? true,
    },
    validate: schemaResolver(createWebhookInput, { sync: true }),
  })
  const save = useSave({ onCreated, onClose })
  useFieldErrors(form, save.error)
  return (
    <ValidatedForm form={form} onSubmit={(values) => save.submit(webhook, values)}>
      <UrlInput
        label="Address"
        description={
          maskedAddressHint(webhook?.url) ??
          'Redirects are not followed, and private addresses are not reached.'
        }
        placeholder="https://example.com/hooks/stock"
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label="When" {...form.getInputProps('kinds')}>
        <Stack gap="xs" mt="xs">
          {listAlertKinds(role).map((kind) => (
            <Checkbox key={kind} value={kind} label={ALERT_LABELS[kind].label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Switch label="Active" {...form.getInputProps('isActive', { type: 'checkbox' })} />
      <FormFooter submitLabel={webhook ? 'Save' : 'Add Webhook'} isPending={save.isPending} />
    </ValidatedForm>
  )
}

type Settings = Pick<Webhook, 'url' | 'kinds' | 'isActive'>

function useSave({
  onCreated,
  onClose,
}: {
  onCreated: (secret: string) => void
  onClose: () => void
}) {
  const { webhooks } = trpc.useUtils()
  const onError = (error: unknown) => showFailure(error, 'The webhook could not be saved')
  const create = trpc.webhooks.create.useMutation({
    onSuccess({ secret }) {
      onCreated(secret)
      void webhooks.list.invalidate()
    },
    onError,
  })
  const update = trpc.webhooks.update.useMutation({
    onSuccess({ message }) {
      showSuccess(message)
      onClose()
      void webhooks.list.invalidate()
    },
    onError,
  })
  return {
    isPending: create.isPending || update.isPending,
    error: create.error ?? update.error,
    submit: (webhook: Webhook | null, settings: Settings) =>
      webhook ? update.mutate({ id: webhook.id, ...settings }) : create.mutate(settings),
  }
}
