import { Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import { useIsInDialogForm, useReportChanges } from '../../lib/dialog-form'
import { focusFirstInvalid } from '../../lib/form-errors'
import { useFirstField } from '../../lib/use-first-field'

interface ValidatedFormProps<Values> {
  form: UseFormReturnType<Values>
  onSubmit: (values: Values) => void
  /** Accessible name, for a form outside a dialog. */
  label?: string
  /** Focuses the first field, for a form that is what its page is for; dialogs always do. */
  hasFocus?: boolean
  /** For a form that the server also takes by itself, at the address of its page. */
  method?: 'post'
  children: ReactNode
}

/**
 * A form that shows errors under its fields and focuses the first invalid one on submit. In a
 * dialog, its first field has the initial focus.
 */
export function ValidatedForm<Values extends object>(props: ValidatedFormProps<Values>) {
  const { form } = props
  useReportChanges(form.isDirty())
  const isInDialog = useIsInDialogForm()
  return (
    <form
      ref={useFirstField(isInDialog || props.hasFocus === true)}
      noValidate
      method={props.method}
      aria-label={props.label}
      onSubmit={form.onSubmit(props.onSubmit, (errors) => focusFirstInvalid(form, errors))}
    >
      <Stack gap="md">{props.children}</Stack>
    </form>
  )
}
