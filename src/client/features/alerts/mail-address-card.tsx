import { Button, Code, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'

import type { AlertChoices } from '../../../shared/schemas/alert'
import { PendingButton } from '../../components/feedback/pending-button'
import { StatusBadge } from '../../components/feedback/status-badge'
import { ValidatedForm } from '../../components/form/validated-form'
import { Panel } from '../../components/layout/panel'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'

import classes from './alert-choices.module.css'

type Mail = AlertChoices['mail']

/** Where the user gets e-mail: an address counts once its link was opened. */
export function MailAddressCard({ mail }: { mail: Mail }) {
  return (
    <Panel title="E-mail address" description="Used for alerts only">
      {mail.isAvailable ? (
        <Stack gap="md">
          <Addresses mail={mail} />
          <AddressForm mail={mail} />
        </Stack>
      ) : (
        <NotConfigured />
      )}
    </Panel>
  )
}

function NotConfigured() {
  const isAdministrator = useSignedInUser().role === 'SUPER_ADMIN'
  return (
    <Text c="dimmed" fz="sm">
      This installation sends no e-mail.{' '}
      {isAdministrator ? (
        <>
          Set <Code>SMTP_URL</Code>, <Code>MAIL_FROM</Code> and <Code>PUBLIC_URL</Code>, and start
          it again.
        </>
      ) : (
        'Its administrator has to set up a mail server.'
      )}
    </Text>
  )
}

function Addresses({ mail: { address, pendingAddress } }: { mail: Mail }) {
  const { alerts } = trpc.useUtils()
  const remove = trpc.alerts.removeAddress.useMutation({
    onSuccess: async ({ message }) => {
      await alerts.choices.invalidate()
      showSuccess(message)
    },
    onError: (error) => showFailure(error, 'The address could not be removed'),
  })
  if (address === null && pendingAddress === null) {
    return (
      <Text c="dimmed" fz="sm">
        Add an address to be told by e-mail.
      </Text>
    )
  }
  return (
    <>
      {address !== null && (
        <div className={classes.line}>
          <span dir="auto">{address}</span>
          <StatusBadge tone="good">Confirmed</StatusBadge>
        </div>
      )}
      {pendingAddress !== null && (
        <div className={classes.line}>
          <span dir="auto">{pendingAddress}</span>
          <StatusBadge tone="warn">Open the link in the mail</StatusBadge>
        </div>
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Remove
        </Button>
      </div>
    </>
  )
}

function AddressForm({ mail }: { mail: Mail }) {
  const { alerts } = trpc.useUtils()
  const { contactEmail } = useSignedInUser()
  const known = mail.pendingAddress ?? mail.address
  const form = useForm({
    initialValues: { address: known === null ? (contactEmail ?? '') : '' },
    validate: lazySchemaResolver(
      async () => (await import('../../../shared/schemas/alert')).mailAddressInput,
    ),
  })
  const send = trpc.alerts.setAddress.useMutation({
    onSuccess: async ({ message }) => {
      form.setValues({ address: '' })
      form.resetDirty({ address: '' })
      await alerts.choices.invalidate()
      showSuccess(message)
    },
    onError: (error) => showFailure(error, 'The link could not be sent'),
  })
  useFieldErrors(form, send.error)
  return (
    <ValidatedForm form={form} label="E-mail address" onSubmit={(values) => send.mutate(values)}>
      <TextInput
        label={known === null ? 'Address' : 'Another address'}
        description="A link is sent to it, which you open to confirm that it is yours."
        type="email"
        autoComplete="email"
        {...form.getInputProps('address')}
      />
      <div>
        <PendingButton type="submit" variant="default" isPending={send.isPending}>
          Send the link
        </PendingButton>
      </div>
    </ValidatedForm>
  )
}
