import { Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import { focusFirstInvalid } from '../lib/form-errors'

interface ValidatedFormProps<Values> {
  form: UseFormReturnType<Values>
  onSubmit: (values: Values) => void
  /** Names the form, where no dialog does. */
  label?: string
  children: ReactNode
}

/** A form whose messages stand under its fields; the first invalid field gets the focus. */
export function ValidatedForm<Values extends Record<string, unknown>>(
  props: ValidatedFormProps<Values>,
) {
  const { form } = props
  return (
    <form
      noValidate
      aria-label={props.label}
      onSubmit={form.onSubmit(props.onSubmit, (errors) => focusFirstInvalid(form, errors))}
    >
      <Stack gap="md">{props.children}</Stack>
    </form>
  )
}
