import { TextInput, type TextInputProps } from '@mantine/core'

/** The field for a code of the app; a recovery code fits too. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label="Code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={100}
      {...props}
    />
  )
}
