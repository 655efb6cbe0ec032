import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createTRPCQueryUtils } from '@trpc/react-query'
import { useEffect, useState } from 'react'

import { COLOR_SCHEME_KEY } from '../shared/color-scheme'
import { Toaster } from './components/feedback/toaster'
import { refetchLostQueries } from './lib/lost-queries'
import { createQueryClient } from './query-client'
import { createAppRouter } from './router'
import { takeFirstData } from './session/first-data'
import { followOtherTabs } from './session/identity'
import { cssVariablesResolver, theme } from './theme'
import { createTrpcClient, trpc } from './trpc'

const router = createAppRouter()
const colorSchemeManager = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY })

/** Loads the code of the page that is shown first. A failure is shown in its place. */
export const loadFirstPage = () => router.load()

export function App() {
  const [queryClient] = useState(() => takeFirstData(createQueryClient()))
  const [trpcClient] = useState(createTrpcClient)
  useEffect(() => followOtherTabs(queryClient), [queryClient])
  useEffect(() => refetchLostQueries(queryClient), [queryClient])
  useEffect(() => {
    // Every page needs the user: fetched while the code of the page is loaded.
    void createTRPCQueryUtils({ queryClient, client: trpcClient }).session.current.prefetch()
  }, [queryClient, trpcClient])
  return (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          colorSchemeManager={colorSchemeManager}
          defaultColorScheme="auto"
        >
          <RouterProvider router={router} />
          <Toaster />
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>
  )
}
