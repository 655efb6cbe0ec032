import { Anchor, Text } from '@mantine/core'
import { useEffect, useState } from 'react'

import type { SecondFactorSetup } from '../../../shared/schemas/second-factor'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { ErrorState } from '../../components/feedback/message-state'
import { PageSpinner } from '../../components/feedback/page-spinner'
import { FormFooter } from '../../components/form/form-footer'
import { PasswordInput } from '../../components/form/login-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { CopyableCode } from '../../components/layout/copyable-code'
import { errorMessage } from '../../lib/error-message'
import { showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { CodeInput } from './code-input'
import { QrCode } from './qr-code'
import { RecoveryCodes } from './recovery-codes'
import { useProofForm } from './use-proof-form'

import classes from './second-factor.module.css'

/** Turns the own second factor on: a key for the app, then the recovery codes. */
export function TurnOnDialog({ isOpen, onClose }: DialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Turn on the second factor"
      closeOnClickOutside={false}
    >
      <Steps onClose={onClose} />
    </FormDialog>
  )
}

function Steps({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const prepare = trpc.secondFactor.prepare.useMutation()
  const { mutate } = prepare
  useEffect(() => mutate(), [mutate])
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  if (prepare.data) return <SetupForm setup={prepare.data} onDone={setCodes} />
  if (!prepare.isError) return <PageSpinner />
  return (
    <ErrorState
      isCompact
      title="A key could not be made"
      message={errorMessage(prepare.error)}
      onRetry={() => mutate()}
    />
  )
}

interface SetupFormProps {
  setup: SecondFactorSetup
  onDone: (recoveryCodes: readonly string[]) => void
}

function SetupForm({ setup: { key, uri, setup }, onDone }: SetupFormProps) {
  const utils = trpc.useUtils()
  const { form, onError } = useProofForm()
  const turnOn = trpc.secondFactor.turnOn.useMutation({
    onSuccess: ({ recoveryCodes }) => {
      onDone(recoveryCodes)
      showSuccess('Second factor turned on')
      void utils.secondFactor.get.invalidate()
      void utils.people.invalidate()
    },
    onError,
  })
  return (
    <ValidatedForm form={form} onSubmit={(values) => turnOn.mutate({ ...values, setup })}>
      <Text>
        Scan this with an authenticator app. From then on, signing in with your password also takes
        the code that the app shows. You are signed out everywhere else.
      </Text>
      <div className={classes.setup}>
        <QrCode text={uri} label="QR code with the key for an authenticator app" />
        <div className={classes.setupTexts}>
          <Text c="dimmed" fz="sm">
            If you cannot scan it, type this key into the app, or{' '}
            <Anchor href={uri} fz="sm" underline="always">
              open it in an app on this device
            </Anchor>
            .
          </Text>
          <CopyableCode code={key.replaceAll(/.{4}(?=.)/g, '$& ')} label="the key" />
        </div>
      </div>
      <CodeInput
        description="The six digits that the app shows now"
        inputMode="numeric"
        {...form.getInputProps('code')}
      />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <FormFooter submitLabel="Turn on" isPending={turnOn.isPending} />
    </ValidatedForm>
  )
}
