import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form'

import { secondFactorProofInput } from '../../../shared/schemas/second-factor'
import { showFieldErrors } from '../../lib/form-errors'
import { showFailure } from '../../lib/toast'

/** A form for the password and a code, and what shows why a call with them failed. */
export function useProofForm() {
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: schemaResolver(secondFactorProofInput, { sync: true }),
  })
  return { form, onError: showIn(form) }
}

/** The same for a new app, with a code of the one that it replaces. */
export function useSetupForm(isReplaced: boolean) {
  const form = useForm({
    initialValues: { password: '', code: '', oldCode: '' },
    validate: schemaResolver(
      isReplaced
        ? secondFactorProofInput.extend({ oldCode: secondFactorProofInput.shape.code })
        : secondFactorProofInput,
      { sync: true },
    ),
  })
  return { form, onError: showIn(form) }
}

const showIn =
  <Values>(form: UseFormReturnType<Values>) =>
  (error: unknown) => {
    showFailure(error)
    showFieldErrors(form, error)
  }
