import {
  PasswordInput as MantinePasswordInput,
  TextInput,
  type PasswordInputProps,
  type TextInputProps,
} from '@mantine/core'

import { PASSWORD_MIN_LENGTH } from '../../shared/constants'

/** A username to be typed; for somebody else's, `autoComplete` is `off`. */
export function UsernameInput(props: TextInputProps) {
  return <TextInput label="Username" autoCapitalize="none" spellCheck={false} {...props} />
}

/** A username that is shown: it stays what it was. */
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

/** A password; Mantine's own field does not say when it is invalid. */
export function PasswordInput(props: PasswordInputProps) {
  return <MantinePasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}

/** A password that is being chosen. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="Password"
      description={`At least ${PASSWORD_MIN_LENGTH} characters`}
      autoComplete="new-password"
      {...props}
    />
  )
}
