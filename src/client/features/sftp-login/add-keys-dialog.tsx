import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'

import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { KEY_TEXT } from '../../components/form/key-text'
import { ValidatedForm } from '../../components/form/validated-form'
import { useFieldErrors } from '../../lib/use-field-errors'

interface AddKeysDialogProps extends DialogProps {
  id: number
  title: string
  submitLabel: string
  call: {
    isPending: boolean
    error: unknown
    mutate: (input: { id: number; addKeys: string }, options: { onSuccess: () => void }) => void
  }
}

/** Takes public keys, as they stand in the files of programs. */
export function AddKeysDialog({ isOpen, onClose, title, ...props }: AddKeysDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={title}>
      <KeysForm {...props} onClose={onClose} />
    </FormDialog>
  )
}

function KeysForm({
  id,
  call,
  submitLabel,
  onClose,
}: Omit<AddKeysDialogProps, 'isOpen' | 'title'>) {
  const form = useForm({
    initialValues: { addKeys: '' },
    validate: { addKeys: (text) => (text.trim() === '' ? 'Enter a public key' : null) },
  })
  useFieldErrors(form, call.error)
  return (
    <ValidatedForm
      form={form}
      onSubmit={({ addKeys }) => call.mutate({ id, addKeys }, { onSuccess: onClose })}
    >
      <Textarea
        label="Public key"
        description="From the file that ends in .pub, or from the top of PuTTYgen; several, one a line. Keys of Ed25519, ECDSA and RSA from 2,048 bits."
        placeholder="ssh-ed25519 AAAA… robot@warehouse"
        rows={5}
        spellCheck={false}
        autoComplete="off"
        styles={KEY_TEXT}
        {...form.getInputProps('addKeys')}
      />
      <FormFooter submitLabel={submitLabel} isPending={call.isPending} />
    </ValidatedForm>
  )
}
