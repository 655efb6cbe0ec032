import { Checkbox } from '@mantine/core'

interface FullFileCheckboxProps {
  isFull: boolean
  onChange: (isFull: boolean) => void
}

/** Says of a file that it is a full one, where files have only what has changed. */
export const FullFileCheckbox = ({ isFull, onChange }: FullFileCheckboxProps) => (
  <Checkbox
    label="This is a full file"
    description="It has all items. Otherwise only what it has is changed, unless its name says that it is full."
    checked={isFull}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
)
