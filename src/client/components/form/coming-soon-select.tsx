import { Group, Select, type SelectProps } from '@mantine/core'

import { formatOptionLabel } from '../../../shared/format'

import classes from './coming-soon-select.module.css'

interface ComingSoonSelectProps<Name extends string> extends Omit<
  SelectProps<Name>,
  'data' | 'renderOption' | 'allowDeselect' | 'value' | 'onChange'
> {
  options: readonly Name[]
  /** The options that can be chosen; the others are marked Coming Soon. */
  usable: readonly Name[]
  value?: Name
  onChange?: (name: Name) => void
}

/** Lists unsupported options too, disabled and marked Coming Soon: docs/rules.md#delivery. */
export function ComingSoonSelect<Name extends string>({
  options,
  usable,
  onChange,
  ...props
}: ComingSoonSelectProps<Name>) {
  return (
    <Select
      {...props}
      allowDeselect={false}
      classNames={{ dropdown: classes.dropdown }}
      data={options.map((name) => ({
        value: name,
        label: formatOptionLabel(name),
        disabled: !usable.includes(name),
      }))}
      renderOption={({ option }) => (
        <Group component="span" flex={1} wrap="nowrap" justify="space-between" gap={12}>
          {option.label} {option.disabled && <span className={classes.soon}>Coming Soon</span>}
        </Group>
      )}
      onChange={(name) => name !== null && onChange?.(name)}
    />
  )
}
