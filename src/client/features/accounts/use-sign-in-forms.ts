import { useForm } from '@mantine/form'
import { useEffect } from 'react'

import type { LoginInput, RegistrationForm } from '../../../shared/schemas/user'
import { errorMessage, isUnauthorized } from '../../lib/error-message'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { showError } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useAdoptIdentity } from '../../session/current-user'
import { trpc } from '../../trpc'

/** Kept out of the first load; requested at the first keystroke. */
function loadSchemas() {
  return import('../../../shared/schemas/user')
}

/** Both forms of /auth and their calls. They outlive the spinner, so an error loses no input. */
export function useSignInForms() {
  const adoptIdentity = useAdoptIdentity()
  const loginForm = useForm<LoginInput>({
    initialValues: { username: '', password: '' },
    onValuesChange: () => void loadSchemas(),
    validate: lazySchemaResolver(async () => (await loadSchemas()).loginInput),
  })
  const registrationForm = useForm<RegistrationForm>({
    initialValues: { username: '', password: '', companyName: '', contactEmail: '' },
    onValuesChange: () => void loadSchemas(),
    validate: lazySchemaResolver(async () => (await loadSchemas()).registrationFormSchema),
  })
  const login = trpc.session.login.useMutation({
    onSuccess: adoptIdentity,
    onError: (error) => {
      showError(errorMessage(error), 'Login failed')
      // After other errors, such as a rate limit, the same password can be submitted again.
      if (isUnauthorized(error)) loginForm.setFieldValue('password', '')
    },
  })
  const registration = trpc.session.register.useMutation({
    onSuccess: adoptIdentity,
    onError: (error) => showError(errorMessage(error), 'Registration failed'),
  })
  // In an effect, because the field is hidden until the spinner is gone.
  useEffect(() => {
    if (login.error) loginForm.getInputNode('password')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- once per error
  }, [login.error])
  useFieldErrors(loginForm, login.error)
  useFieldErrors(registrationForm, registration.error)
  return { loginForm, registrationForm, login, registration }
}
