import { Input, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useId } from 'react'

import type { Invitee } from '../../lib/invitee'

const WAYS = [
  { value: 'mail', label: 'Send an e-mail' },
  { value: 'link', label: 'Copy a link' },
]

interface InviteeFieldsProps {
  form: { values: Invitee; getInputProps: (field: 'way' | 'email') => object }
  /** Whether this installation sends e-mail; otherwise there is only the link. */
  hasMail: boolean
}

/** Whether the link is sent by mail, and where to. */
export function InviteeFields({ form, hasMail }: InviteeFieldsProps) {
  const labelId = useId()
  return (
    <>
      {hasMail && (
        <Input.Wrapper label="How" labelElement="div" labelProps={{ id: labelId }}>
          <SegmentedControl
            fullWidth
            data={WAYS}
            aria-labelledby={labelId}
            {...form.getInputProps('way')}
          />
        </Input.Wrapper>
      )}
      {form.values.way === 'mail' ? (
        <TextInput
          label="Email"
          description="It gets a link that works once, for a week."
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
      ) : (
        <Text c="dimmed" fz="sm" textWrap="pretty">
          {!hasMail && 'This installation sends no e-mail. '}
          You get a link to pass on yourself. It works once, for a week.
        </Text>
      )}
    </>
  )
}
