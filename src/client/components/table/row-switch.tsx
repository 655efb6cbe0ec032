import { Group, Switch } from '@mantine/core'

interface RowSwitchProps {
  /** Accessible name: `Acme is active`. */
  label: string
  isOn: boolean
  /** Presses are ignored while the last one is being saved. */
  isSaving: boolean
  onText: string
  offText: string
  onToggle: (isOn: boolean) => void
}

/** A switch in a table row that saves immediately, with its state in words beside it. */
export function RowSwitch(props: RowSwitchProps) {
  return (
    <Group gap={10} wrap="nowrap" display="inline-flex">
      <Switch
        size="sm"
        aria-label={props.label}
        checked={props.isOn}
        // Not `disabled`, which would drop the focus.
        aria-disabled={props.isSaving || undefined}
        opacity={props.isSaving ? 0.6 : 1}
        onChange={(event) => !props.isSaving && props.onToggle(event.currentTarget.checked)}
      />
      <span aria-hidden="true">{props.isOn ? props.onText : props.offText}</span>
    </Group>
  )
}
