import { Select, Switch, TagsInput } from '@mantine/core'

import { formatSyncFrequency, syncFrequencyOptions } from '../../../shared/format'
import type { VisibilitySettings } from '../../../shared/schemas/retailer'

interface VisibilityFieldsProps {
  value: VisibilitySettings
  onChange: (value: VisibilitySettings) => void
}

/** 'Show All Products', and the categories when it is off (reading 7). */
export function VisibilityFields({ value, onChange }: VisibilityFieldsProps) {
  return (
    <>
      <Switch
        label="Show All Products"
        description="Allow access to all products in your inventory"
        checked={value.allProducts}
        onChange={(event) => onChange({ ...value, allProducts: event.currentTarget.checked })}
      />
      {!value.allProducts && (
        <TagsInput
          label="Categories"
          description={
            value.categories.length === 0
              ? 'Without a category the retailer gets the header row only'
              : 'The retailer gets the rows of these categories and of those below them'
          }
          placeholder="Type a category and press Enter"
          value={value.categories}
          onChange={(categories) => onChange({ ...value, categories })}
        />
      )}
    </>
  )
}

interface FrequencyFieldProps {
  minutes: number
  onChange: (minutes: number) => void
  /** The full page is without UNLIMITED (reading 16). */
  isWithoutUnlimited?: boolean
  error?: string | undefined
}

/** Sync Frequency; a stored value outside the options joins them. */
export function FrequencyField(props: FrequencyFieldProps) {
  const { minutes, isWithoutUnlimited } = props
  const options = syncFrequencyOptions().map(({ value, label }) => ({
    value: String(value),
    label: value === 0 ? 'UNLIMITED (real-time)' : label,
    disabled: value === 0 && (isWithoutUnlimited ?? false),
  }))
  if (!options.some(({ value }) => value === String(minutes))) {
    options.push({ value: String(minutes), label: formatSyncFrequency(minutes), disabled: false })
  }
  return (
    <Select
      label="Sync Frequency"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        minutes === 0
          ? 'Get real-time inventory updates without restrictions'
          : 'How often should inventory data be synced (in minutes)'
      }
      allowDeselect={false}
      data={options.filter(({ value, disabled }) => !disabled || value === String(minutes))}
      value={String(minutes)}
      onChange={(value) => value !== null && props.onChange(Number(value))}
      error={props.error}
    />
  )
}
