import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'

import { pageRequest } from '../lib/list-view'
import { useSignedInUser } from '../session/current-user'
import { useLogout } from '../session/use-logout'
import { trpc } from '../trpc'
import { NAV_ITEMS } from './nav-items'

export interface Command {
  group: 'Pages' | 'Actions' | 'Retailers'
  label: string
  /** Distinguishes commands with the same label. */
  id: string
  run: () => void
}

/** Opens the dialogs that are actions of the palette. */
export interface PaletteDialogs {
  changePassword: () => void
  showShortcuts: () => void
}

/** The commands of the user's role that match the query. */
export function useCommands(query: string, dialogs: PaletteDialogs): Command[] {
  const { role } = useSignedInUser()
  const navigate = useNavigate()
  const actions = useActions(dialogs)
  const retailers = useFoundRetailers(query)
  const pages = [...NAV_ITEMS[role], { label: 'API', to: '/api-docs' } as const].map(
    ({ label, to }): Command => ({
      group: 'Pages',
      label,
      id: to,
      run: () => void navigate({ to }),
    }),
  )
  const matches = ({ label }: Command) => label.toLowerCase().includes(query.toLowerCase())
  // Found retailers come last, because they arrive later and must not move what is selected.
  return [...pages.filter(matches), ...actions.filter(matches), ...retailers]
}

function useActions(dialogs: PaletteDialogs): Command[] {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const logout = useLogout()
  const actions: [label: string, run: () => void][] = [
    ['Change Password', dialogs.changePassword],
    [
      isDark ? 'Switch to light mode' : 'Switch to dark mode',
      () => setColorScheme(isDark ? 'light' : 'dark'),
    ],
    ['Use system colours', () => setColorScheme('auto')],
    ['Keyboard Shortcuts', dialogs.showShortcuts],
    ['Logout', () => logout.mutate()],
  ]
  return actions.map(([label, run]) => ({ group: 'Actions', label, id: label, run }))
}

const SEARCH_DELAY_MS = 200
const SHOWN_RETAILERS = 8

/** A supplier's retailers that match the query, by the search of their list. */
function useFoundRetailers(query: string): Command[] {
  const isSupplier = useSignedInUser().role === 'SUPPLIER'
  const navigate = useNavigate()
  const [q] = useDebouncedValue(query, SEARCH_DELAY_MS)
  const found = trpc.retailers.page.useQuery(pageRequest({ q }, []), {
    enabled: isSupplier && q !== '',
  })
  if (query === '' || q !== query || !found.data) return []
  return found.data.rows.slice(0, SHOWN_RETAILERS).map(({ id, storeName, username }) => ({
    group: 'Retailers',
    label: storeName || username,
    id: String(id),
    run: () =>
      void navigate({ to: '/supplier/retailers/$retailerId', params: { retailerId: String(id) } }),
  }))
}
