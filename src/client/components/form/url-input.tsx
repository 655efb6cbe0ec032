import { TextInput, type TextInputProps } from '@mantine/core'
import type { ChangeEvent } from 'react'

import { withHttps } from '../../../shared/web-address'

interface UrlInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value?: string
  /** Receives an event, or the completed address; `getInputProps` of a form accepts both. */
  onChange?: (change: ChangeEvent<HTMLInputElement> | string) => void
}

/** A field for a full address. A bare host gets `https://` before it when the field is left or sent. */
export function UrlInput({ value = '', onChange, onBlur, ...props }: UrlInputProps) {
  function complete() {
    const address = withHttps(value)
    if (address !== value) onChange?.(address)
  }
  return (
    <TextInput
      type="url"
      inputMode="url"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      value={value}
      onChange={onChange}
      onKeyDown={(event) => event.key === 'Enter' && complete()}
      onBlur={(event) => {
        complete()
        onBlur?.(event)
      }}
    />
  )
}
