import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'

import type { SendTestInput, SystemState, TestResult } from '../../../shared/schemas/system'
import { PendingButton } from '../../components/feedback/pending-button'
import { StatusBadge } from '../../components/feedback/status-badge'
import { ValidatedForm } from '../../components/form/validated-form'
import { Panel } from '../../components/layout/panel'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { showFailure } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'

import classes from './system.module.css'

type Target = SendTestInput['to']

const validate = lazySchemaResolver(
  async () => (await import('../../../shared/schemas/system')).sendTestInput,
)

/** Sends something small with the settings in effect, and shows the answer word by word. */
export function TestPanel({ state }: { state: SystemState }) {
  const [to, setTo] = useState<Target>('mail')
  const targets = [
    { value: 'mail', label: 'Mail' },
    { value: 'webhook', label: 'Webhook' },
    { value: 'files', label: state.files.isBucket ? 'Bucket' : 'Files' },
    { value: 'backups', label: 'Backups' },
  ]
  return (
    <Panel title="Send a test" description="With the settings in effect. Each one is recorded.">
      <Stack gap="md">
        <SegmentedControl
          className={classes.targets}
          aria-label="What is tried"
          data={targets}
          value={to}
          onChange={(value) => setTo(value as Target)}
        />
        <TestForm key={to} to={to} state={state} />
      </Stack>
    </Panel>
  )
}

function TestForm({ to, state }: { to: Target; state: SystemState }) {
  const form = useForm({ initialValues: { to, address: '', url: '' }, validate })
  const send = trpc.system.sendTest.useMutation({
    onError: (error) => showFailure(error, 'The test could not be sent'),
  })
  useFieldErrors(form, send.error)
  if (to === 'mail' && !state.hasMail) {
    return (
      <Text c="dimmed" fz="sm">
        No mail server is set: see SMTP_URL and MAIL_FROM.
      </Text>
    )
  }
  return (
    <ValidatedForm
      form={form}
      label="Test"
      onSubmit={(values) => send.mutate(values as SendTestInput)}
    >
      {to === 'mail' && (
        <TextInput
          label="Recipient"
          type="email"
          placeholder="you@example.com"
          {...form.getInputProps('address')}
        />
      )}
      {to === 'webhook' && (
        <TextInput
          label="URL"
          description="It gets an event of the type test. Private addresses need FETCH_ALLOW."
          placeholder="https://example.com/hook"
          {...form.getInputProps('url')}
        />
      )}
      {(to === 'files' || to === 'backups') && (
        <Text c="dimmed" fz="sm">
          Something small is written to <code>{state[to].place}</code>, read and deleted.
        </Text>
      )}
      <div>
        <PendingButton type="submit" isPending={send.isPending}>
          Send test
        </PendingButton>
      </div>
      <div aria-live="polite">{send.data && !send.isPending && <Result result={send.data} />}</div>
    </ValidatedForm>
  )
}

function Result({ result: { isOk, answer, tookMs } }: { result: TestResult }) {
  return (
    <div className={classes.result}>
      <StatusBadge tone={isOk ? 'good' : 'bad'}>{isOk ? 'It works' : 'It failed'}</StatusBadge>
      <code className={classes.answer}>{answer}</code>
      <Text component="span" c="dimmed" fz="xs">
        after {tookMs} ms
      </Text>
    </div>
  )
}
