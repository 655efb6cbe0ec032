import { Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'

import type { SecondFactorProofInput } from '../../../shared/schemas/second-factor'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { PasswordInput } from '../../components/form/login-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { CodeInput } from './code-input'
import { RecoveryCodes } from './recovery-codes'
import { useProofForm } from './use-proof-form'

/** Turns the own second factor off. */
export function TurnOffDialog({ isOpen, onClose }: DialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Turn off the second factor">
      <TurnOffForm onClose={onClose} />
    </FormDialog>
  )
}

/** Replaces the own recovery codes. */
export function RenewCodesDialog({ isOpen, onClose }: DialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New recovery codes"
      closeOnClickOutside={false}
    >
      <RenewCodes onClose={onClose} />
    </FormDialog>
  )
}

function TurnOffForm({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const { form, onError } = useProofForm()
  const turnOff = trpc.secondFactor.turnOff.useMutation({
    onSuccess: ({ message }) => {
      onClose()
      showSuccess(message)
      void utils.secondFactor.get.invalidate()
      void utils.people.invalidate()
    },
    onError,
  })
  return (
    <ProofForm
      form={form}
      submitLabel="Turn off"
      isDestructive
      isPending={turnOff.isPending}
      onSubmit={(proof) => turnOff.mutate(proof)}
    >
      Your password alone is then enough to sign in. The recovery codes do not work any more.
    </ProofForm>
  )
}

function RenewCodes({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const { secondFactor } = trpc.useUtils()
  const { form, onError } = useProofForm()
  const renew = trpc.secondFactor.renewCodes.useMutation({
    onSuccess: ({ recoveryCodes }) => {
      setCodes(recoveryCodes)
      showSuccess('New recovery codes made')
      void secondFactor.get.invalidate()
    },
    onError,
  })
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <ProofForm
      form={form}
      submitLabel="Make new codes"
      isPending={renew.isPending}
      onSubmit={(proof) => renew.mutate(proof)}
    >
      You get ten new recovery codes. Those of before do not work any more.
    </ProofForm>
  )
}

interface ProofFormProps {
  form: ReturnType<typeof useProofForm>['form']
  submitLabel: string
  isDestructive?: boolean
  isPending: boolean
  onSubmit: (proof: SecondFactorProofInput) => void
  children: ReactNode
}

function ProofForm({ form, onSubmit, children, ...footer }: ProofFormProps) {
  return (
    <ValidatedForm form={form} onSubmit={onSubmit}>
      <Text>{children}</Text>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <CodeInput
        description="Of your authenticator app, or one of your recovery codes"
        {...form.getInputProps('code')}
      />
      <FormFooter {...footer} />
    </ValidatedForm>
  )
}
