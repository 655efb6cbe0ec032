import { Select, type SelectProps } from '@mantine/core'

import { formatCountOf } from '../../../shared/format'

const NEVER = 'never'
const CHOICES = [
  { value: NEVER, label: 'Never' },
  { value: '24', label: 'A day' },
  { value: '48', label: 'Two days' },
  { value: '168', label: 'A week' },
  { value: '720', label: 'A month' },
]

interface ExpectedFilesSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** Hours; null for never. */
  value: number | null
  onChange: (hours: number | null) => void
}

/** After how long without a file its supplier is told. A stored value that is not among the options is added. */
export function ExpectedFilesSelect({
  value: hours,
  onChange,
  ...props
}: ExpectedFilesSelectProps) {
  const value = hours === null ? NEVER : String(hours)
  const isListed = CHOICES.some((choice) => choice.value === value)
  return (
    <Select
      {...props}
      label="Tell me when no file has come for"
      allowDeselect={false}
      data={isListed ? CHOICES : [...CHOICES, { value, label: formatCountOf(hours ?? 0, 'hour') }]}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen === NEVER ? null : Number(chosen))}
    />
  )
}
