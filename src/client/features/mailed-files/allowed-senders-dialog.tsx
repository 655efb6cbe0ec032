import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'

import { allowSendersInput } from '../../../shared/schemas/mail-inbox'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'

interface AllowedSendersDialogProps extends DialogProps {
  connectionId: number
  allowedSenders: string[]
}

/** Chooses whose mails are taken without asking. */
export function AllowedSendersDialog({ isOpen, onClose, ...props }: AllowedSendersDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Taken without asking">
      <SendersForm {...props} onClose={onClose} />
    </FormDialog>
  )
}

const toSenders = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** The first problem of a sender is shown at the field of all. */
const findProblem = (allowedSenders: string[]) =>
  allowSendersInput.shape.allowedSenders.safeParse(allowedSenders).error?.issues[0]?.message ?? null

function SendersForm({
  connectionId: id,
  allowedSenders,
  onClose,
}: Omit<AllowedSendersDialogProps, 'isOpen'>) {
  const { mailInboxes } = trpc.useUtils()
  const form = useForm({
    initialValues: { allowedSenders: allowedSenders.join('\n') },
    validate: { allowedSenders: (text) => findProblem(toSenders(text)) },
  })
  const allow = trpc.mailInboxes.allowSenders.useMutation({
    onSuccess(inbox) {
      mailInboxes.get.setData({ id }, { isAvailable: true, inbox })
      showSuccess('Senders changed')
      onClose()
    },
    onError: (error) => showFailure(error, 'The senders could not be changed'),
  })
  useFieldErrors(form, allow.error)
  return (
    <ValidatedForm
      form={form}
      onSubmit={(values) => allow.mutate({ id, allowedSenders: toSenders(values.allowedSenders) })}
    >
      <Textarea
        label="Senders"
        description="One a line: an address, or *@ and a domain for everybody there. Mails of all others wait until somebody decides."
        placeholder={'stock@acme.example\n*@warehouse.example'}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        autoCapitalize="none"
        {...form.getInputProps('allowedSenders')}
      />
      <FormFooter submitLabel="Save" isPending={allow.isPending} />
    </ValidatedForm>
  )
}
