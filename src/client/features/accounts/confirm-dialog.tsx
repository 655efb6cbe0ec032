import { Button, Modal, Stack, Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import { confirmInput } from '../../../shared/schemas/session'
import { DialogActions } from '../../components/dialog/dialog-actions'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { PendingButton } from '../../components/feedback/pending-button'
import { PasswordInput } from '../../components/form/login-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFieldErrors } from '../../lib/form-errors'
import { showFailure } from '../../lib/toast'
import { endConfirmation } from '../../session/confirmation'
import { trpc } from '../../trpc'
import { PasskeyLink } from './passkey-link'
import { useConfirmByGoogle } from './use-confirm-by-google'
import { useConfirmByPasskey } from './use-confirm-by-passkey'

const finish = () => endConfirmation(true)

/** Asks the user to confirm who is there, above whatever dialog has asked for something that needs it. */
export function ConfirmDialog({ isOpen, onClose }: DialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Confirm that it is you" size="sm" zIndex={400}>
      <Question onClose={onClose} />
    </Modal>
  )
}

function Question({ onClose }: { onClose: () => void }) {
  const hasPassword = trpc.session.hasPassword.useQuery().data
  // The form is there while the answer is not, because nearly everybody has a password.
  const Way = hasPassword === false ? ByGoogle : ByPassword
  return <Way onClose={onClose} passkey={useConfirmByPasskey(finish)} />
}

interface WayProps {
  onClose: () => void
  /** Confirms by a passkey, for those who have one. */
  passkey: (() => Promise<void>) | undefined
}

const AT_START = { alignSelf: 'flex-start' }

function ByPassword({ onClose, passkey }: WayProps) {
  const form = useForm({
    initialValues: { password: '' },
    validate: schemaResolver(confirmInput, { sync: true }),
  })
  const confirm = trpc.confirmation.byPassword.useMutation({
    onSuccess: finish,
    onError: (error) => {
      showFailure(error)
      showFieldErrors(form, error)
    },
  })
  return (
    <ValidatedForm form={form} hasFocus onSubmit={(values) => confirm.mutate(values)}>
      <Text>
        Before this goes on, type your password{passkey && ', or use a passkey'}. It counts for ten
        minutes, in this browser only.
      </Text>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      {passkey && <PasskeyLink style={AT_START} onClick={() => void passkey()} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <PendingButton type="submit" isPending={confirm.isPending}>
          Confirm
        </PendingButton>
      </DialogActions>
    </ValidatedForm>
  )
}

/** For accounts without a password. */
function ByGoogle({ onClose, passkey }: WayProps) {
  const google = useConfirmByGoogle(finish)
  return (
    <Stack gap="md">
      <Text>
        Before this goes on, sign in with Google once more{passkey && ', or use a passkey'}. That
        counts for ten minutes, in this browser only.
      </Text>
      {passkey && <PasskeyLink style={AT_START} onClick={() => void passkey()} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <PendingButton isPending={google.isPending} onClick={google.start} data-autofocus>
          Sign in with Google
        </PendingButton>
      </DialogActions>
    </Stack>
  )
}
