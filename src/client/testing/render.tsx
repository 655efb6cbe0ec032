import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
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
