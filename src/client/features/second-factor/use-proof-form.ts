import { schemaResolver, useForm } from '@mantine/form'

import { secondFactorProofInput } from '../../../shared/schemas/second-factor'
import { showFieldErrors } from '../../lib/form-errors'
import { showFailure } from '../../lib/toast'

/** A form for the password and a code, and what shows why a call with them failed. */
export function useProofForm() {
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: schemaResolver(secondFactorProofInput, { sync: true }),
  })
  function onError(error: unknown) {
    showFailure(error)
    showFieldErrors(form, error)
  }
  return { form, onError }
}
