import { Divider, Text, Title } from '@mantine/core'
import { Navigate, useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'

import { LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { TextLink } from '../components/layout/links'
import { EntryFrame } from '../features/accounts/entry-frame'
import { GoogleButton } from '../features/accounts/google-button'
import { LoginForm } from '../features/accounts/login-form'
import { PasskeyButton } from '../features/accounts/passkey-button'
import { useGoogleSignIn } from '../features/accounts/use-google-sign-in'
import { useSignInForms } from '../features/accounts/use-sign-in-forms'
import { loadCode } from '../lib/load-code'
import { useKeptFocus } from '../lib/use-kept-focus'
import { useSession } from '../session/current-user'
import { useAppName, usePageTitle } from '../session/page-title'
import { followablePath, homePath } from '../session/role-paths'
import { trpc } from '../trpc'

/** Asked for by few. */
const RegistrationForm = lazy(async () => {
  const loaded = await loadCode(() => import('../features/accounts/registration-form'))
  return { default: loaded.RegistrationForm }
})

const GooglePending = lazy(async () => {
  const loaded = await loadCode(() => import('../features/accounts/google-pending'))
  return { default: loaded.GooglePending }
})

/** Login and registration. Shows a spinner while signing in, then redirects by role. */
export function AuthPage() {
  const session = useSession()
  const { next } = useSearch({ from: '/auth' })
  const forms = useSignInForms()
  const google = useGoogleSignIn()
  const isSubmitting =
    forms.login.isPending || forms.registration.isPending || google.waitsFor === 'server'
  const isInWindow = google.waitsFor === 'window'
  const isHidden = isSubmitting || isInWindow
  useKeptFocus(isHidden)
  if (session.isPending) return <PageSpinner />
  if (session.isError && session.data === undefined) {
    return <LoadError title="Stockbridge could not be loaded" query={session} />
  }
  const user = session.data
  if (user) {
    const path = followablePath(user.role, next)
    return path ? <RedirectTo path={path} /> : <Navigate to={homePath(user.role)} replace />
  }
  return (
    <>
      {isSubmitting && <PageSpinner label="Signing in" />}
      <Suspense fallback={<PageSpinner />}>
        {isInWindow && <GooglePending onCancel={google.cancel} />}
      </Suspense>
      <div hidden={isHidden}>
        <SignIn forms={forms} google={google} />
      </div>
    </>
  )
}

/** Redirects to a path with its query, which a typed `to` does not accept. */
function RedirectTo({ path }: { path: string }) {
  const { history } = useRouter()
  useEffect(() => history.replace(path), [history, path])
  return <PageSpinner />
}

interface SignInProps {
  forms: ReturnType<typeof useSignInForms>
  google: ReturnType<typeof useGoogleSignIn>
}

function SignIn(props: SignInProps) {
  const { CodeStep, ...step } = props.forms.codeStep
  return (
    // All of it waits for the form of a registration: added later, it would move the rest.
    <Suspense fallback={<PageSpinner />}>
      <EntryFrame>{CodeStep ? <CodeStep {...step} /> : <FirstStep {...props} />}</EntryFrame>
    </Suspense>
  )
}

function FirstStep({ forms, google }: SignInProps) {
  const appName = useAppName()
  const { mode } = useSearch({ from: '/auth' })
  const info = trpc.app.info.useQuery().data
  const isSignupAllowed = info?.isSignupAllowed ?? false
  const isRegistering = mode === 'register' && isSignupAllowed
  usePageTitle(isRegistering ? 'Create account' : 'Login')
  return (
    <>
      <Title order={1}>{isRegistering ? 'Create your supplier account' : 'Login'}</Title>
      <Text c="dimmed" mt={4} mb="xl">
        {isRegistering
          ? 'Publish an inventory file once, share it with every retailer.'
          : `Sign in to ${appName} to continue.`}
      </Text>
      {isRegistering ? (
        <RegistrationForm
          form={forms.registrationForm}
          error={forms.registration.error}
          onSubmit={(values) => forms.registration.mutate({ ...values, role: 'SUPPLIER' })}
        />
      ) : (
        <LoginForm
          form={forms.loginForm}
          error={forms.login.error ?? forms.refusedBefore}
          title={forms.refusedBefore ? 'Login failed' : undefined}
          sendsMail={info?.sendsMail ?? false}
          onSubmit={(input) => forms.login.mutate(input)}
        />
      )}
      <Divider label="Or continue with" my="lg" />
      <GoogleButton isMissing={info?.isGoogleConfigured === false} onClick={google.start} />
      <PasskeyButton onClick={() => void forms.signInByPasskey()} />
      {isSignupAllowed && <ModeSwitch isRegistering={isRegistering} />}
    </>
  )
}

function ModeSwitch({ isRegistering }: { isRegistering: boolean }) {
  const { next } = useSearch({ from: '/auth' })
  return (
    <Text c="dimmed" mt="xl" ta="center">
      {isRegistering ? 'Already have an account?' : 'New supplier?'}{' '}
      <TextLink
        to="/auth"
        search={{ next, mode: isRegistering ? undefined : 'register' }}
        fw={550}
        underline="always"
      >
        {isRegistering ? 'Login' : 'Create an account'}
      </TextLink>
    </Text>
  )
}
