import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { useState, type ReactNode } from 'react'

import { cssVariablesResolver, theme } from '../theme'

/** Renders with the app's theme; `env="test"` disables Mantine's transitions and portal delays. */
export function renderInTheme(element: ReactNode) {
  return render(element, {
    wrapper: ({ children }) => (
      <MantineProvider env="test" theme={theme} cssVariablesResolver={cssVariablesResolver}>
        <QueryClientProvider client={new QueryClient()}>
          <OutsideRoutes>{children}</OutsideRoutes>
        </QueryClientProvider>
      </MantineProvider>
    ),
  })
}

/** Gives elements that are rendered without routes a router, which forms block while they change. */
export function OutsideRoutes({ children }: { children: ReactNode }) {
  const [router] = useState(() =>
    createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() }),
  )
  return <RouterContextProvider router={router as never}>{children}</RouterContextProvider>
}

/** Provides a router for elements with links. Renders asynchronously: use `findBy…` queries. */
export function InRouter({ element }: { element: ReactNode }) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory(),
  })
  // `RouterProvider` is typed for the app's own router.
  return <RouterProvider router={router as never} />
}
