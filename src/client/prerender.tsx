import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { renderToStaticMarkup } from 'react-dom/server'

import {
  nameSignInForm,
  SIGN_IN_FORMS,
  SIGN_IN_PLACES,
  type SignInForm,
} from '../shared/sign-in-page'
import { RefusedSignInContext } from './features/accounts/page-form'
import { createQueryClient } from './query-client'
import { createAppRouter } from './router'
import { currentUserKey } from './session/identity'
import { cssVariablesResolver, theme } from './theme'
import { createTrpcClient, trpc } from './trpc'

export { COLOR_SCHEME_SCRIPT } from '../shared/color-scheme'
export { SIGN_IN_PLACES } from '../shared/sign-in-page'

/** The HTML of /auth for somebody who is not signed in, by name; the build runs it. */
export async function renderSignInForms(): Promise<Record<string, string>> {
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/auth'] }))
  await router.load()
  return Object.fromEntries(
    SIGN_IN_FORMS.map((form) => [nameSignInForm(form), renderForm(router, form)]),
  )
}

function renderForm(router: ReturnType<typeof createAppRouter>, form: SignInForm): string {
  const { isRefused, ...settings } = form
  const { appName, username, reason } = SIGN_IN_PLACES
  const queryClient = createQueryClient()
  queryClient.setQueryData(currentUserKey(), null)
  const info = { appName, ...settings, publicUrl: null }
  queryClient.setQueryData(getQueryKey(trpc.app.info, undefined, 'query'), info)
  return renderToStaticMarkup(
    <trpc.Provider client={createTrpcClient()} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver}>
          <RefusedSignInContext value={isRefused ? { username, error: new Error(reason) } : null}>
            <RouterProvider router={router} />
          </RefusedSignInContext>
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  )
}
