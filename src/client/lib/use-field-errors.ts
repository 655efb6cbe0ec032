import { useEffect } from 'react'

import { showFieldErrors } from './form-errors'

/** Shows the field errors of the last failed call under the form's fields. */
export function useFieldErrors(form: Parameters<typeof showFieldErrors>[0], error: unknown): void {
  useEffect(() => {
    if (error) showFieldErrors(form, error)
    // oxlint-disable-next-line react/exhaustive-deps -- once per error
  }, [error])
}
