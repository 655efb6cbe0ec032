import { schemaResolver, useForm } from '@mantine/form'

import {
  loginInput,
  registrationFormSchema,
  type LoginInput,
  type RegistrationForm,
} from '../../../shared/schemas/user'
import { errorMessage } from '../../lib/error-message'
import { showServerFieldError } from '../../lib/form-errors'
import { showError } from '../../lib/toast'
import { useAdoptIdentity } from '../../session/current-user'
import { trpc } from '../../trpc'

/** Both forms of /auth with their calls. They live above the spinner, so that a refusal loses no input. */
export function useSignInForms() {
  const adoptIdentity = useAdoptIdentity()
  const loginForm = useForm<LoginInput>({
    initialValues: { username: '', password: '' },
    validate: schemaResolver(loginInput, { sync: true }),
  })
  const registrationForm = useForm<RegistrationForm>({
    initialValues: { username: '', password: '', companyName: '', contactEmail: '' },
    validate: schemaResolver(registrationFormSchema, { sync: true }),
  })
  const login = trpc.session.login.useMutation({
    onSuccess: adoptIdentity,
    onError: (error) => {
      showError(errorMessage(error), 'Login failed')
      loginForm.setFieldValue('password', '')
      requestAnimationFrame(() => loginForm.getInputNode('password')?.focus())
    },
  })
  const registration = trpc.session.register.useMutation({
    onSuccess: adoptIdentity,
    onError: (error) => {
      showError(errorMessage(error), 'Registration failed')
      requestAnimationFrame(() => {
        showServerFieldError(registrationForm, error, {
          username: /username/i,
          password: /password/i,
          contactEmail: /email/i,
          companyName: /company/i,
        })
      })
    },
  })
  return { loginForm, registrationForm, login, registration }
}
