import { Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect, useState } from 'react'

import { passkeyNameSchema } from '../../../shared/schemas/passkey'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { ErrorState } from '../../components/feedback/message-state'
import { PageSpinner } from '../../components/feedback/page-spinner'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { errorMessage } from '../../lib/error-message'
import { makePasskey, PasskeyQuestionReplaced } from '../../lib/passkeys'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'

interface AddPasskeyDialogProps extends DialogProps {
  /** The browser, after which the passkey is named unless the user says otherwise. */
  program: string | null
}

/** Adds a passkey: a name, then the browser's own question. */
export function AddPasskeyDialog({ isOpen, onClose, program }: AddPasskeyDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Add a passkey">
      <AddPasskey onClose={onClose} program={program} />
    </FormDialog>
  )
}

type AddPasskeyProps = Omit<AddPasskeyDialogProps, 'isOpen'>

function AddPasskey({ onClose, program }: AddPasskeyProps) {
  const { passkeys, people } = trpc.useUtils()
  const form = useForm({
    initialValues: { name: program ?? '' },
    validate: schemaResolver(passkeyNameSchema, { sync: true }),
  })
  const [isMaking, setMaking] = useState(false)
  // At once, because it may have to be confirmed first who is there.
  const prepare = trpc.passkeys.prepare.useMutation()
  const { mutate: prepareAgain } = prepare
  useEffect(() => prepareAgain(), [prepareAgain])
  const add = trpc.passkeys.add.useMutation({
    onSuccess: ({ message }) => {
      onClose()
      showSuccess(message)
      void passkeys.invalidate()
      void people.invalidate()
    },
    onError: (error) => {
      showFailure(error, 'The passkey could not be added')
      // What the browser was asked is answered.
      prepareAgain()
    },
  })
  useFieldErrors(form, add.error)
  if (prepare.isError) {
    return (
      <ErrorState
        isCompact
        title="A passkey cannot be added now"
        message={errorMessage(prepare.error)}
        onRetry={() => prepareAgain()}
      />
    )
  }
  const setup = prepare.data
  if (!setup) return <PageSpinner />
  async function make({ name }: { name: string }) {
    if (!setup || isMaking) return
    setMaking(true)
    try {
      add.mutate({ name, made: await makePasskey(setup) })
    } catch (error) {
      if (!(error instanceof PasskeyQuestionReplaced)) showFailure(error)
    } finally {
      setMaking(false)
    }
  }
  return (
    <ValidatedForm form={form} onSubmit={(values) => void make(values)}>
      <Text>
        Your browser then asks for your fingerprint, your face or a PIN. That stays on your device:
        this installation only gets a key that checks its answers.
      </Text>
      <TextInput
        label="Name"
        description="By which you tell it from others"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <FormFooter submitLabel="Continue" isPending={isMaking || add.isPending} />
    </ValidatedForm>
  )
}
