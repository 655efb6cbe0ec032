import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import { passkeyNameSchema, type Passkey } from '../../../shared/schemas/passkey'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'

interface RenamePasskeyDialogProps extends DialogProps {
  passkey: Passkey | null
}

export function RenamePasskeyDialog({ isOpen, onClose, passkey }: RenamePasskeyDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Rename the passkey">
      {passkey && <RenameForm passkey={passkey} onClose={onClose} />}
    </FormDialog>
  )
}

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { passkeys } = trpc.useUtils()
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: schemaResolver(passkeyNameSchema, { sync: true }),
  })
  const rename = trpc.passkeys.rename.useMutation({
    onSuccess: ({ message }) => {
      onClose()
      showSuccess(message)
    },
    onError: (error) => showFailure(error, 'The passkey could not be renamed'),
    // It may have been removed meanwhile.
    onSettled: () => void passkeys.invalidate(),
  })
  useFieldErrors(form, rename.error)
  return (
    <ValidatedForm form={form} onSubmit={({ name }) => rename.mutate({ id: passkey.id, name })}>
      <TextInput label="Name" autoComplete="off" {...form.getInputProps('name')} />
      <FormFooter submitLabel="Rename" isPending={rename.isPending} />
    </ValidatedForm>
  )
}
