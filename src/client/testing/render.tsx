import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'

import { cssVariablesResolver, theme } from '../theme'

/** Renders as the app does, without Mantine's transitions and portals' delays. */
export function renderInTheme(element: ReactNode) {
  return render(element, {
    wrapper: ({ children }) => (
      <MantineProvider env="test" theme={theme} cssVariablesResolver={cssVariablesResolver}>
        <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
      </MantineProvider>
    ),
  })
}

/** For what holds links; it stands there a moment later. */
export function InRouter({ element }: { element: ReactNode }) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory(),
  })
  // The types speak of the product's own router.
  return <RouterProvider router={router as never} />
}
