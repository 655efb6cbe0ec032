import { useEffect } from 'react'

import { showFieldErrors } from './form-errors'

/** Shows the server's last refusal under the fields that it names; see `showFieldErrors`. */
export function useRefusal(form: Parameters<typeof showFieldErrors>[0], error: unknown): void {
  useEffect(() => {
    if (error) showFieldErrors(form, error)
    // oxlint-disable-next-line react/exhaustive-deps -- once per refusal
  }, [error])
}
