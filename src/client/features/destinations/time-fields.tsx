import { ActionIcon, Button, Input, NativeSelect, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'

import { MAX_TIMES } from '../../../shared/destinations'
import { listTimeZones } from '../../lib/time-zones'
import type { DestinationFormState } from './use-destination-form'

import classes from './destination-form.module.css'

/** When the file is sent: whenever it is another one, or at times of day. */
export function TimeFields({ form }: { form: DestinationFormState }) {
  const { isTimed } = form.values
  return (
    <>
      <NativeSelect
        label="When"
        data={[
          { value: 'each', label: 'At each new file' },
          { value: 'times', label: 'At set times' },
        ]}
        value={isTimed ? 'times' : 'each'}
        onChange={(event) => form.setFieldValue('isTimed', event.currentTarget.value === 'times')}
      />
      {isTimed && (
        <Stack gap="md">
          <Times form={form} />
          <Select
            label="Time zone"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description="Of all destinations with times"
            searchable
            limit={60}
            allowDeselect={false}
            nothingFoundMessage="None is called so"
            data={listTimeZones(form.values.timeZone)}
            {...form.getInputProps('timeZone')}
          />
        </Stack>
      )}
    </>
  )
}

function Times({ form }: { form: DestinationFormState }) {
  const { times } = form.values
  const change = (changed: string[]) => {
    form.clearFieldError('times')
    form.setFieldValue('times', changed)
  }
  return (
    <Input.Wrapper label="Times" labelElement="div" error={form.errors.times}>
      <div className={classes.times}>
        {times.map((time, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same time may be there twice while it is typed
          <span key={place} className={classes.time}>
            <TextInput
              type="time"
              aria-label={`Time ${place + 1}`}
              value={time}
              error={form.errors.times !== undefined}
              onChange={(event) => change(times.with(place, event.currentTarget.value))}
            />
            {times.length > 1 && (
              <ActionIcon
                aria-label={`Remove time ${place + 1}`}
                onClick={() => change(times.toSpliced(place, 1))}
              >
                <IconX size={16} aria-hidden="true" />
              </ActionIcon>
            )}
          </span>
        ))}
        {times.length < MAX_TIMES && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => change([...times, nextTime(times)])}
          >
            Add a time
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}

/** Some hours after the last one, on the hour. */
function nextTime(times: string[]): string {
  const hour = Number((times.at(-1) ?? '').slice(0, 2) || 0)
  return `${String((hour + 6) % 24).padStart(2, '0')}:00`
}
