import { useEffect, useState, type ReactNode } from 'react'

import { PageSpinner } from '../components/page-spinner'
import type { AppShell } from './app-shell'

type Shell = typeof AppShell

let loaded: Shell | undefined

/**
 * The frame comes with the first signed-in page: /auth does without it. No Suspense: React keeps a
 * fallback for 300 ms, and only then would the page begin to ask for its data.
 */
export function LazyAppShell({ children }: { children: ReactNode }) {
  const [state, setState] = useState<{ shell?: Shell | undefined; error?: unknown }>({
    shell: loaded,
  })
  useEffect(() => {
    async function load() {
      try {
        loaded = (await import('./app-shell')).AppShell
        setState({ shell: loaded })
      } catch (error) {
        setState({ error })
      }
    }
    if (!loaded) void load()
  }, [])
  // The router's crash page says what to do.
  if (state.error) throw state.error
  return state.shell ? <state.shell>{children}</state.shell> : <PageSpinner />
}
