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
import { useSetupForm } from './use-proof-form'

import classes from './second-factor.module.css'

/** Turns the own second factor on: a key for the app, then the recovery codes. */
export function TurnOnDialog(props: DialogProps) {
  return <SetupDialog {...props} title="Turn on the second factor" isReplaced={false} />
}

/** Puts another app in place of the one of today. */
export function ReplaceDialog(props: DialogProps) {
  return <SetupDialog {...props} title="Replace the second factor" isReplaced />
}

interface SetupDialogProps extends DialogProps {
  title: string
  isReplaced: boolean
}

function SetupDialog({ isOpen, onClose, title, isReplaced }: SetupDialogProps) {
  const { session } = trpc.useUtils()
  function close() {
    onClose()
    // It may have been asked for; not before the recovery codes have been seen.
    void session.current.invalidate()
  }
  return (
    <FormDialog isOpen={isOpen} onClose={close} title={title} closeOnClickOutside={false}>
      <Steps isReplaced={isReplaced} onClose={close} />
    </FormDialog>
  )
}

interface StepsProps {
  isReplaced: boolean
  onClose: () => void
}

function Steps({ isReplaced, onClose }: StepsProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  const prepare = trpc.secondFactor.prepare.useMutation()
  const { mutate } = prepare
  useEffect(() => mutate(), [mutate])
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  if (prepare.data) {
    return <SetupForm setup={prepare.data} isReplaced={isReplaced} onDone={setCodes} />
  }
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
  isReplaced: boolean
  onDone: (recoveryCodes: readonly string[]) => void
}

function SetupForm({ setup: { key, uri, setup }, isReplaced, onDone }: SetupFormProps) {
  const utils = trpc.useUtils()
  const { form, onError } = useSetupForm(isReplaced)
  const turnOn = trpc.secondFactor.turnOn.useMutation({
    onSuccess: ({ recoveryCodes }) => {
      onDone(recoveryCodes)
      showSuccess(isReplaced ? 'Second factor replaced' : 'Second factor turned on')
      void utils.secondFactor.get.invalidate()
      void utils.people.invalidate()
    },
    onError,
  })
  return (
    <ValidatedForm
      form={form}
      onSubmit={({ oldCode, ...values }) =>
        turnOn.mutate({ ...values, setup, ...(isReplaced && { oldCode }) })
      }
    >
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
      {isReplaced && (
        <CodeInput
          label="Code of the app of today"
          description="Or one of your recovery codes, which do not work any more then"
          {...form.getInputProps('oldCode')}
        />
      )}
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <FormFooter submitLabel={isReplaced ? 'Replace' : 'Turn on'} isPending={turnOn.isPending} />
    </ValidatedForm>
  )
}
