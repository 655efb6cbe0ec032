import { Select, type SelectProps } from '@mantine/core'

import { formatSyncFrequency, syncFrequencyOptions } from '../../../shared/format'

interface FrequencySelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** In minutes. */
  value: number
  onChange: (minutes: number) => void
  /** Label of the option 0; UNLIMITED by default. */
  unlimitedLabel?: string
  /** Leaves out the option 0, unless it is the current value: docs/rules.md#delivery. */
  isWithoutUnlimited?: boolean
}

/** Sync Frequency. A stored value that is not among the options is added to them. */
export function FrequencySelect({
  value: minutes,
  onChange,
  unlimitedLabel,
  isWithoutUnlimited,
  ...props
}: FrequencySelectProps) {
  const options = syncFrequencyOptions()
    .filter(({ value }) => value !== 0 || value === minutes || !isWithoutUnlimited)
    .map((option) =>
      option.value === 0 && unlimitedLabel ? { ...option, label: unlimitedLabel } : option,
    )
  if (!options.some(({ value }) => value === minutes)) {
    options.push({ value: minutes, label: formatSyncFrequency(minutes) })
  }
  return (
    <Select
      {...props}
      label="Sync Frequency"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={options.map(({ value, label }) => ({ value: String(value), label }))}
      value={String(minutes)}
      onChange={(value) => value !== null && onChange(Number(value))}
    />
  )
}
