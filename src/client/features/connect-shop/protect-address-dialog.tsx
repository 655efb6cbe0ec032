import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'

import { ADDRESS_NOTICE_DAYS, ADDRESS_USER_NAME } from '../../../shared/address-protection'
import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { networksSchema } from '../../../shared/schemas/networks'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { NetworksField, toNetworks } from '../../components/form/networks-field'
import { ValidatedForm } from '../../components/form/validated-form'
import { END_OPTIONS, endAfter } from '../../lib/ends'
import { formatDate } from '../../lib/time-format'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'
import { NewAddressPassword } from './new-address-password'

interface ProtectAddressDialogProps extends DialogProps {
  retailerId: number
  address: FeedAddress
  hasExpired: boolean
  /** The whole address, while it is known. */
  url: string | undefined
  onNewPassword: (password: string | null) => void
}

/** Changes what protects a feed address; a new password is shown once. */
export function ProtectAddressDialog({ isOpen, onClose, ...props }: ProtectAddressDialogProps) {
  const [password, setPassword] = useState<string>()
  const close = () => {
    setPassword(undefined)
    onClose()
  }
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={password === undefined ? 'Protect the feed address' : 'The new password'}
      // A click beside it must not lose the password.
      closeOnClickOutside={password === undefined}
    >
      {password === undefined ? (
        <ProtectionForm {...props} onClose={close} onMade={setPassword} />
      ) : (
        <NewAddressPassword password={password} url={props.url} onClose={close} />
      )}
    </FormDialog>
  )
}

type Keeping<Other extends string> = Other | 'keep'

interface Values {
  password: Keeping<'new' | 'none'>
  /** One a line. */
  networks: string
  /** In so many days. */
  lasts: Keeping<'30' | '90' | '365' | 'never'>
}

const toInput = (id: number, { password, networks, lasts }: Values) => ({
  id,
  ...(password !== 'keep' && { password }),
  networks: toNetworks(networks),
  ...(lasts !== 'keep' && {
    validUntil: lasts === 'never' ? null : endAfter(lasts),
  }),
})

/** The first problem of a network is shown at the field of all. */
const findProblem = (networks: string[]) =>
  networksSchema.safeParse(networks).error?.issues[0]?.message ?? null

interface ProtectionFormProps extends Omit<ProtectAddressDialogProps, 'isOpen' | 'url'> {
  onMade: (password: string) => void
}

function ProtectionForm(props: ProtectionFormProps) {
  const { retailerId, address, hasExpired, onNewPassword, onMade, onClose } = props
  const form = useForm<Values>({
    initialValues: {
      password: 'keep',
      networks: address.networks.join('\n'),
      lasts: hasExpired ? '90' : 'keep',
    },
    validate: { networks: (text) => findProblem(toNetworks(text)) },
  })
  const { feedAddresses } = trpc.useUtils()
  const protect = trpc.feedAddresses.protect.useMutation({
    async onSuccess({ password }, input) {
      await feedAddresses.list.invalidate({ id: retailerId })
      if (input.password !== undefined) onNewPassword(password)
      if (password !== null) return onMade(password)
      showSuccess('Protection changed')
      onClose()
    },
    onError: (error) => showFailure(error, 'The protection could not be changed'),
  })
  useFieldErrors(form, protect.error)
  return (
    <ValidatedForm form={form} onSubmit={(values) => protect.mutate(toInput(retailerId, values))}>
      <Select
        label="Password"
        description={`Made here and shown once. A shop sends it with the user name ${ADDRESS_USER_NAME} or any other one (Basic), or as a Bearer token.`}
        allowDeselect={false}
        data={listPasswords(address.passwordEnd)}
        {...form.getInputProps('password')}
      />
      <NetworksField
        reason="If the shop reads from known addresses only."
        {...form.getInputProps('networks')}
      />
      <Select
        label="Expires"
        description={`You are told ${ADDRESS_NOTICE_DAYS / 7} weeks before. From then on the shop is refused, until you extend it.`}
        allowDeselect={false}
        data={listEnds(address.validUntil, hasExpired)}
        {...form.getInputProps('lasts')}
      />
      <FormFooter submitLabel="Save" isPending={protect.isPending} />
    </ValidatedForm>
  )
}

const listPasswords = (end: string | null) => [
  { value: 'keep', label: end === null ? 'None' : `The present one, which ends in …${end}` },
  { value: 'new', label: end === null ? 'Make one' : 'Make a new one, which replaces it at once' },
  ...(end === null ? [] : [{ value: 'none', label: 'None' }]),
]

const listEnds = (validUntil: string | null, hasExpired: boolean) => [
  ...(hasExpired
    ? []
    : [{ value: 'keep', label: validUntil === null ? 'Never' : `On ${formatDate(validUntil)}` }]),
  ...END_OPTIONS,
  ...(validUntil === null ? [] : [{ value: 'never', label: 'Never' }]),
]
