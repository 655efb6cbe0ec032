import { Group, Switch } from '@mantine/core'

interface RowSwitchProps {
  /** What the switch says of its row: `Acme is active`. */
  label: string
  isOn: boolean
  /** While it saves it cannot be pressed again. */
  isSaving: boolean
  onText: string
  offText: string
  onToggle: (isOn: boolean) => void
}

/** A switch in a table that saves at once; its state stands beside it in words. */
export function RowSwitch(props: RowSwitchProps) {
  return (
    <Group gap={10} wrap="nowrap" display="inline-flex">
      <Switch
        size="sm"
        aria-label={props.label}
        checked={props.isOn}
        // Not `disabled`, which would take the focus away from whoever pressed it.
        aria-disabled={props.isSaving || undefined}
        opacity={props.isSaving ? 0.6 : 1}
        onChange={(event) => !props.isSaving && props.onToggle(event.currentTarget.checked)}
      />
      <span aria-hidden="true">{props.isOn ? props.onText : props.offText}</span>
    </Group>
  )
}
