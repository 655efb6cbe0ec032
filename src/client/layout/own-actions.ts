import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'

import { showFailure } from '../lib/toast'
import { focusPageSearch } from '../lib/use-page-keys'
import { useSignedInUser } from '../session/current-user'
import { useMay } from '../session/may'
import { useLogout } from '../session/use-logout'
import { trpc } from '../trpc'
import type { Unranked } from './commands'

/** Opens the dialogs that are actions of the palette. */
export interface PaletteDialogs {
  changePassword: () => void
  showShortcuts: () => void
}

/** What the user can start from every page: first what their role does, then what everybody can. */
export function useActions(dialogs: PaletteDialogs): Unranked[] {
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
    ['Logout', () => logout.mutate()],
  ]
  return [
    ...useLookUp(),
    ...useRoleActions(),
    ...actions.map(([label, run]): Unranked => ({ group: 'Actions', label, id: label, run })),
    ...keys(dialogs),
  ]
}

const keys = ({ showShortcuts }: PaletteDialogs): Unranked[] => [
  {
    group: 'Keys',
    label: 'Search the list of this page',
    keys: ['/'],
    id: 'search',
    // The palette returns the focus when it has closed.
    run: () => void setTimeout(focusPageSearch, 0),
  },
  { group: 'Keys', label: 'Keyboard Shortcuts', keys: ['?'], id: 'keys', run: showShortcuts },
]

function useRoleActions(): Unranked[] {
  const { role } = useSignedInUser()
  const navigate = useNavigate()
  const mayManage = useMay('manage')
  const syncs = useSyncActions(role === 'SUPPLIER' && mayManage)
  const action = (label: string, run: () => void): Unranked => ({
    group: 'Actions',
    label,
    id: label,
    run,
  })
  if (!mayManage) return []
  switch (role) {
    case 'SUPPLIER':
      return [
        ...syncs,
        action(
          'Add Retailer',
          () => void navigate({ to: '/supplier/retailers', search: { add: true } }),
        ),
      ]
    case 'SUPER_ADMIN':
      return [
        action(
          'Add Supplier',
          () => void navigate({ to: '/dashboard/super-admin', search: { add: true } }),
        ),
      ]
    case 'RETAILER':
      return []
  }
}

/** Goes to where an item is looked up by its SKU. */
function useLookUp(): Unranked[] {
  const { role } = useSignedInUser()
  const navigate = useNavigate()
  const mayBrowse = useMay('files')
  const { data } = trpc.connections.list.useQuery(undefined, {
    enabled: role === 'SUPPLIER' && mayBrowse,
  })
  if (!mayBrowse || role === 'SUPER_ADMIN') return []
  const label = 'Look up an item'
  if (role === 'RETAILER') {
    const run = () => void navigate({ to: '/retailer/items' })
    return [{ group: 'Actions', label, id: label, run }]
  }
  return (data ?? []).map(({ id, name }): Unranked => ({
    group: 'Actions',
    label,
    note: name,
    id: `look up ${id}`,
    run: () =>
      void navigate({
        to: '/supplier/connections/$connectionId/items',
        params: { connectionId: String(id) },
      }),
  }))
}

/** One for each connection that has a source; the page that is opened shows how the sync goes. */
function useSyncActions(isSupplier: boolean): Unranked[] {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const { data } = trpc.connections.list.useQuery(undefined, { enabled: isSupplier })
  const sync = trpc.connections.sync.useMutation({
    onSuccess: () => utils.connections.list.invalidate(),
    onError: (error) => showFailure(error, 'Failed to start the sync'),
  })
  const fetched = data?.filter(({ config }) => config.url !== '') ?? []
  if (data?.length === 0) {
    const run = () => void navigate({ to: '/supplier/connections', search: { add: true } })
    return [{ group: 'Actions', label: 'Add Connection', id: 'add', run }]
  }
  return fetched.map(({ id, name }): Unranked => ({
    group: 'Actions',
    label: 'Sync now',
    note: name,
    id: `sync ${id}`,
    run: () => {
      sync.mutate({ id })
      void navigate({ to: '/supplier/connections' })
    },
  }))
}
