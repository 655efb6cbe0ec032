import { Checkbox, Stack } from '@mantine/core'

import type { DestinationList } from '../../../shared/schemas/destination'
import type { DestinationFormState } from './use-destination-form'

interface RecipientsFieldProps {
  form: DestinationFormState
  people: DestinationList['people']
}

/** The people of the company who get the file by mail; only those with a confirmed address can. */
export function RecipientsField({ form, people }: RecipientsFieldProps) {
  const lacks = people.some(({ address }) => address === null)
  return (
    <Checkbox.Group
      label="To"
      description={
        lacks
          ? 'A file goes only to confirmed addresses. Each person enters and confirms the own one under Alerts, “E-mail address”.'
          : 'As an attachment up to 10 MB, above that as a link that works for a week.'
      }
      {...form.getInputProps('recipients')}
      value={form.values.recipients.map(String)}
      onChange={(ids) => {
        form.clearFieldError('recipients')
        form.setFieldValue('recipients', ids.map(Number))
      }}
    >
      <Stack gap="xs" mt="xs">
        {people.map(({ id, name, address }) => (
          <Checkbox
            key={id}
            value={String(id)}
            label={<bdi>{name}</bdi>}
            description={address === null ? 'No confirmed address' : <bdi>{address}</bdi>}
            disabled={address === null && !form.values.recipients.includes(id)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
