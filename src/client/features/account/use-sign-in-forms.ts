import { useForm } from '@mantine/form'
import { useEffect } from 'react'

import type { LoginInput, RegistrationForm } from '../../../shared/schemas/user'
import { errorMessage, isUnauthorized } from '../../lib/error-message'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { showError } from '../../lib/toast'
import { useRefusal } from '../../lib/use-refusal'
import { useAdoptIdentity } from '../../session/current-user'
import { trpc } from '../../trpc'

/** Not part of the first load; it is asked for with the first key that is pressed. */
function loadSchemas() {
  return import('../../../shared/schemas/user')
}

/** Both forms of /auth with their calls. They live above the spinner, so that a refusal loses no input. */
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
      // What was not even looked at can be sent again.
      if (isUnauthorized(error)) loginForm.setFieldValue('password', '')
    },
  })
  const registration = trpc.session.register.useMutation({
    onSuccess: adoptIdentity,
    onError: (error) => showError(errorMessage(error), 'Registration failed'),
  })
  // Only after the commit that takes the spinner away can a field have the focus.
  useEffect(() => {
    if (login.error) loginForm.getInputNode('password')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- once per refusal
  }, [login.error])
  useRefusal(loginForm, login.error)
  useRefusal(registrationForm, registration.error)
  return { loginForm, registrationForm, login, registration }
}
