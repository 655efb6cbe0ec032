import {
  PasswordInput as MantinePasswordInput,
  TextInput,
  type PasswordInputProps,
  type TextInputProps,
} from '@mantine/core'

/** Username field. Pass `autoComplete="off"` where the username is not the user's own. */
export function UsernameInput(props: TextInputProps) {
  return <TextInput label="Username" autoCapitalize="none" spellCheck={false} {...props} />
}

/** Read-only username. */
export function FixedUsername({ username }: { username: string }) {
  return (
    <TextInput
      label="Username"
      description="Username cannot be changed"
      readOnly
      variant="filled"
      value={username}
    />
  )
}

/** Password field that sets `aria-invalid`, which Mantine's own field does not. */
export function PasswordInput(props: PasswordInputProps) {
  return <MantinePasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}
