import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'

import type { DirectoryCard } from '../../../shared/schemas/directory'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useLastOwnRetailer } from '../../session/relation'
import { trpc } from '../../trpc'

interface RequestDialogProps {
  isOpen: boolean
  card: DirectoryCard | null
  onClose: () => void
}

/** Asks a supplier for its files. */
export function RequestDialog({ isOpen, card, onClose }: RequestDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={`Request access to ${card?.name ?? ''}`}>
      {card && <RequestForm card={card} onClose={onClose} />}
    </FormDialog>
  )
}

function RequestForm({ card, onClose }: { card: DirectoryCard; onClose: () => void }) {
  const own = useLastOwnRetailer({ enabled: true })
  const form = useForm({
    initialValues: {
      storeName: own.data?.storeName ?? '',
      storeUrl: own.data?.storeUrl ?? '',
      message: '',
    },
    validate: { storeName: (name) => (name.trim() === '' ? 'Store name is required' : null) },
  })
  const utils = trpc.useUtils()
  const ask = trpc.directory.request.useMutation({
    onSuccess: () => {
      showSuccess(`${card.name} has been asked`)
      onClose()
    },
    onError: (error) => showFailure(error),
    onSettled: () => void utils.directory.invalidate(),
  })
  useFieldErrors(form, ask.error)
  return (
    <ValidatedForm form={form} onSubmit={(values) => ask.mutate({ card: card.card, ...values })}>
      <Text fz="sm" c="dimmed">
        The supplier sees what you enter here, and nothing else of you. If it accepts, you choose
        between your suppliers at the top of the page.
      </Text>
      <TextInput label="Store Name" {...form.getInputProps('storeName')} />
      <TextInput
        label="Store URL"
        description="Optional"
        inputMode="url"
        {...form.getInputProps('storeUrl')}
      />
      <Textarea
        label="Message"
        description="Optional, for example what you sell, and where"
        rows={4}
        maxLength={600}
        {...form.getInputProps('message')}
      />
      <FormFooter submitLabel="Send request" isPending={ask.isPending} />
    </ValidatedForm>
  )
}
