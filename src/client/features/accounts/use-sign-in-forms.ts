import { useForm, type UseFormReturnType } from '@mantine/form'
import { useEffect, useLayoutEffect, useRef, useState, type ComponentType } from 'react'

import type { LoginInput, RegistrationForm } from '../../../shared/schemas/user'
import { errorMessage, isUnauthorized, needsSecondFactor } from '../../lib/error-message'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { explainCodeError, loadCode } from '../../lib/load-code'
import { showError } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useAdoptSignIn } from '../../session/current-user'
import { trpc } from '../../trpc'
import type { CodeStepProps } from './code-step'
import { readTypedBefore, useRefusedSignIn, type Typed } from './page-form'

/** Kept out of the first load; requested at the first keystroke. */
function loadSchemas() {
  return import('../../../shared/schemas/user')
}

/** Loads what few need for a sign-in, or says why it is not there. */
async function loadPart<Part>(load: () => Promise<Part>): Promise<Part | undefined> {
  try {
    return await loadCode(load)
  } catch (error) {
    showError(explainCodeError(error), 'Login failed')
    return undefined
  }
}

/** Both forms of /auth and their calls. They outlive the spinner, so an error loses no input. */
export function useSignInForms() {
  const adoptSignIn = useAdoptSignIn()
  const { client } = trpc.useUtils()
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
  const [CodeStep, setCodeStep] = useState<ComponentType<CodeStepProps> | null>(null)
  async function openCodeStep() {
    const part = await loadPart(() => import('./code-step'))
    if (part) setCodeStep(() => part.CodeStep)
  }
  const login = trpc.session.login.useMutation({
    onSuccess: adoptSignIn,
    // The spinner stays until the next step can be shown.
    onError: async (error, { code }) => {
      if (needsSecondFactor(error)) {
        await openCodeStep()
        if (code === undefined) return
      } else if (isUnauthorized(error)) setCodeStep(null)
      showError(errorMessage(error), 'Login failed')
      // After other errors, such as a rate limit, the same password can be submitted again.
      if (isUnauthorized(error) && !needsSecondFactor(error))
        loginForm.setFieldValue('password', '')
    },
  })
  const registration = trpc.session.register.useMutation({
    onSuccess: adoptSignIn,
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
    signInByPasskey: async () => {
      const part = await loadPart(() => import('./passkey-sign-in'))
      await part?.signInByPasskey(client, adoptSignIn)
    },
    /** The second step, once the password was right and a code is needed. */
    codeStep: {
      CodeStep,
      username: loginForm.values.username,
      // That a code is needed is no failure.
      error: login.variables?.code === undefined ? null : login.error,
      onSubmit: (code: string) => login.mutate({ ...loginForm.getValues(), code }),
      onBack: () => {
        setCodeStep(null)
        login.reset()
        loginForm.setFieldValue('password', '')
      },
    },
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
