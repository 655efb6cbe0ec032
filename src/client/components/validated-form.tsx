import { Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import { useReportChanges } from '../lib/dialog-form'
import { focusFirstInvalid } from '../lib/form-errors'

interface ValidatedFormProps<Values> {
  form: UseFormReturnType<Values>
  onSubmit: (values: Values) => void
  /** Accessible name, for a form outside a dialog. */
  label?: string
  children: ReactNode
}

/** A form that shows errors under its fields and focuses the first invalid one on submit. */
export function ValidatedForm<Values extends Record<string, unknown>>(
  props: ValidatedFormProps<Values>,
) {
  const { form } = props
  useReportChanges(form.isDirty())
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
