import { Anchor } from '@mantine/core'

import { PageSpinner } from '../../components/feedback/page-spinner'
import { useKeptFocus } from '../../lib/use-kept-focus'
import { trpc } from '../../trpc'
import { LoginForm } from './login-form'
import { PasskeyButton } from './passkey-button'
import { useSignInForms } from './use-sign-in-forms'

interface SignInHereProps {
  /** Leads back to what was there instead. */
  back: string
  onBack: () => void
}

/** Signs in on a page whose address has a secret, which a way over /auth would lose. */
export function SignInHere({ back, onBack }: SignInHereProps) {
  const forms = useSignInForms()
  const info = trpc.app.info.useQuery().data
  const { login } = forms
  const { CodeStep, ...step } = forms.codeStep
  useKeptFocus(login.isPending)
  return (
    <>
      {login.isPending && <PageSpinner label="Signing in" />}
      <div hidden={login.isPending}>
        {CodeStep ? (
          <CodeStep {...step} />
        ) : (
          <>
            <LoginForm
              form={forms.loginForm}
              error={login.error}
              sendsMail={info?.sendsMail ?? false}
              onSubmit={(input) => login.mutate(input)}
            />
            <PasskeyButton onClick={() => void forms.signInByPasskey()} />
            <Anchor component="button" type="button" mt="lg" underline="always" onClick={onBack}>
              {back}
            </Anchor>
          </>
        )}
      </div>
    </>
  )
}
