import { useEffect } from 'react'

import { showServerFieldError } from './form-errors'

/** Shows the server's last refusal under the field that it speaks of; see `showServerFieldError`. */
export function useRefusal(
  form: Parameters<typeof showServerFieldError>[0],
  error: unknown,
  fields: Record<string, RegExp>,
): void {
  useEffect(() => {
    if (error) showServerFieldError(form, error, fields)
    // oxlint-disable-next-line react/exhaustive-deps -- once per refusal
  }, [error])
}
