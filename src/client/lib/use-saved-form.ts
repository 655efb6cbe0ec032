import { useForm, type UseFormInput, type UseFormReturnType } from '@mantine/form'
import { useEffect, useRef } from 'react'

/**
 * A form of saved values, for a `PageForm`. Newer saved values replace those of the form, unless it
 * has changes. Once the changes are saved, call `markSaved`.
 * @param draft changes that it begins with
 */
export function useSavedForm<Values extends Record<string, unknown>>(
  saved: Values,
  options: Omit<UseFormInput<Values>, 'initialValues'> = {},
  draft?: Values,
): UseFormReturnType<Values> {
  const form = useForm<Values>({ ...options, initialValues: draft ?? saved })
  const isDraftNew = useRef(draft !== undefined)
  useEffect(() => {
    const hasChanges = isDraftNew.current || form.isDirty()
    isDraftNew.current = false
    markSaved(form, saved)
    if (!hasChanges) form.setValues(saved)
    // oxlint-disable-next-line react/exhaustive-deps -- when a value changes, not with each render
  }, [JSON.stringify(saved)])
  return form
}

/** Makes these the values that the form is compared with, and that Discard returns to. */
export function markSaved<Values>(form: UseFormReturnType<Values>, saved: Values): void {
  form.setInitialValues(saved)
  form.setDirty({})
}
