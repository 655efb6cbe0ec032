import { useForm, type UseFormReturnType } from '@mantine/form'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { LoginInput, RegistrationForm } from '../../../shared/schemas/user'
import { errorMessage, isUnauthorized } from '../../lib/error-message'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { showError } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useAdoptIdentity } from '../../session/current-user'
import { trpc } from '../../trpc'
import { readTypedBefore, useRefusedSignIn, type Typed } from './page-form'

/** Kept out of the first load; requested at the first keystroke. */
function loadSchemas() {
  return import('../../../shared/schemas/user')
}

/** Both forms of /auth and their calls. They outlive the spinner, so an error loses no input. */
export function useSignInForms() {
  const adoptIdentity = useAdoptIdentity()
  const refused = useRefusedSignIn()
  const [typed] = useState(readTypedBefore)
  const loginForm = useForm<LoginInput>({
    initialValues: typed?.values ?? { username: refused?.username ?? '', password: '' },
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
  useTypedBefore(loginForm)
  // In an effect, because the field is hidden until the spinner is gone.
  useEffect(() => {
    if (login.error) loginForm.getInputNode('password')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- once per error
  }, [login.error])
  useFieldErrors(loginForm, login.error)
  useFieldErrors(registrationForm, registration.error)
  return {
    loginForm,
    registrationForm,
    login,
    registration,
    /** Until the next attempt. */
    refusedBefore: login.isIdle && refused ? refused.error : null,
  }
}

/** Takes over what has been typed, and the focus, from the form that the page had before the application was there. */
function useTypedBefore(form: UseFormReturnType<LoginInput>) {
  const typed = useRef<Typed>(null)
  // Before that form is removed: more may have been typed since this one was rendered.
  useLayoutEffect(() => {
    typed.current = readTypedBefore()
    const { username, password } = form.getValues()
    const values = typed.current?.values ?? { username, password }
    if (values.username !== username || values.password !== password) form.setValues(values)
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])
  // After the first field has got the focus.
  useEffect(() => {
    const focus = typed.current?.focus
    const field = focus ? form.getInputNode(focus.name) : null
    if (!focus || !(field instanceof HTMLInputElement)) return
    field.focus()
    field.setSelectionRange(...focus.range)
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])
}
