import { Select } from '@mantine/core'

import { formatSyncFrequency, syncFrequencyOptions } from '../../shared/format'

interface FrequencySelectProps {
  minutes: number
  onChange: (minutes: number) => void
  description: string | undefined
  /** What 0 is called, where it is not just UNLIMITED. */
  unlimitedLabel?: string
  /** Leaves 0 out of the options: docs/rules.md#delivery. */
  isWithoutUnlimited?: boolean
  error?: string | undefined
}

/** Sync Frequency; a stored value that is none of the options joins them. */
export function FrequencySelect(props: FrequencySelectProps) {
  const { minutes, unlimitedLabel } = props
  const options = syncFrequencyOptions()
    .filter(({ value }) => value !== 0 || value === minutes || !props.isWithoutUnlimited)
    .map((option) =>
      option.value === 0 && unlimitedLabel ? { ...option, label: unlimitedLabel } : option,
    )
  if (!options.some(({ value }) => value === minutes)) {
    options.push({ value: minutes, label: formatSyncFrequency(minutes) })
  }
  return (
    <Select
      label="Sync Frequency"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={props.description}
      allowDeselect={false}
      data={options.map(({ value, label }) => ({ value: String(value), label }))}
      value={String(minutes)}
      onChange={(value) => value !== null && props.onChange(Number(value))}
      error={props.error}
    />
  )
}
