import { Anchor, Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'

import { PageSpinner } from '../../components/feedback/page-spinner'
import { hasPasskeys } from '../../lib/has-passkeys'
import { useKeptFocus } from '../../lib/use-kept-focus'
import { trpc } from '../../trpc'
import { LoginForm } from './login-form'
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
            {hasPasskeys() && (
              <Button
                variant="default"
                size="md"
                fullWidth
                mt="sm"
                leftSection={<IconFingerprint size={18} aria-hidden="true" />}
                onClick={() => void forms.signInByPasskey()}
              >
                Sign in with a passkey
              </Button>
            )}
            <Anchor component="button" type="button" mt="lg" underline="always" onClick={onBack}>
              {back}
            </Anchor>
          </>
        )}
      </div>
    </>
  )
}
