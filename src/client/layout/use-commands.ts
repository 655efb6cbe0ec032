import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import type { FailedQuery } from '../components/feedback/message-state'
import { pageRequest } from '../lib/list-view'
import { NO_MATCH, rankMatch } from '../lib/match-rank'
import { useSignedInUser } from '../session/current-user'
import { useLogout } from '../session/use-logout'
import { trpc } from '../trpc'
import { NAV_ITEMS } from './nav-items'

/** In the order in which groups with equally good matches are listed. */
const GROUPS = ['Pages', 'Retailers', 'Actions'] as const

export interface Command {
  group: (typeof GROUPS)[number]
  label: string
  /** Distinguishes commands with the same label. */
  id: string
  /** How well it matches, as by `rankMatch`. */
  rank: number
  run: () => void
}

type Unranked = Omit<Command, 'rank'>

export interface CommandGroup {
  name: Command['group']
  /** The best matches first. */
  commands: Command[]
}

/** Opens the dialogs that are actions of the palette. */
export interface PaletteDialogs {
  changePassword: () => void
  showShortcuts: () => void
}

interface RetailerSearch {
  isSearching: boolean
  /** The search of this query, when it has failed. */
  failedSearch?: FailedQuery | undefined
}

/** The commands of the user's role that match the query; the group of the best match is first. */
export function useCommands(
  query: string,
  dialogs: PaletteDialogs,
): RetailerSearch & { groups: CommandGroup[] } {
  const own = [...usePages(), ...useActions(dialogs)].map((command): Command => ({
    ...command,
    rank: rankMatch(command.label, query),
  }))
  const { retailers, ...search } = useFoundRetailers(query)
  const commands = [...own.filter(({ rank }) => rank < NO_MATCH), ...retailers].toSorted(byRank)
  const groups = GROUPS.map((name) => ({
    name,
    commands: commands.filter(({ group }) => group === name),
  }))
  return {
    groups: groups
      .filter((group) => group.commands.length > 0)
      .toSorted((left, right) => byRank(left.commands[0]!, right.commands[0]!)),
    ...search,
  }
}

const byRank = (left: Command, right: Command) => left.rank - right.rank

function usePages(): Unranked[] {
  const { role } = useSignedInUser()
  const navigate = useNavigate()
  return [...NAV_ITEMS[role], { label: 'API', to: '/api-docs' } as const].map(({ label, to }) => ({
    group: 'Pages',
    label,
    id: to,
    run: () => void navigate({ to }),
  }))
}

function useActions(dialogs: PaletteDialogs): Unranked[] {
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
/** Ranked here: the server's search is in the order of the list. */
const SEARCHED_RETAILERS = 100
const SHOWN_RETAILERS = 8

/**
 * A supplier's retailers that match the query, by the search of their list. Until it has answered,
 * those of the last answer whose name matches too.
 */
function useFoundRetailers(query: string): RetailerSearch & { retailers: Command[] } {
  const isSupplier = useSignedInUser().role === 'SUPPLIER'
  const navigate = useNavigate()
  const [q] = useDebouncedValue(query, SEARCH_DELAY_MS)
  const found = trpc.retailers.page.useQuery(pageRequest({ q, size: SEARCHED_RETAILERS }, []), {
    enabled: isSupplier && q !== '',
    placeholderData: keepPreviousData,
  })
  if (!isSupplier || query === '') return { retailers: [], isSearching: false }
  const isSearching = q !== query || found.isFetching
  const retailers = (found.data?.rows ?? []).map(({ id, storeName, username }): Command => ({
    group: 'Retailers',
    label: storeName || username,
    id: String(id),
    rank: Math.min(rankMatch(storeName ?? '', query), rankMatch(username, query)),
    run: () =>
      void navigate({ to: '/supplier/retailers/$retailerId', params: { retailerId: String(id) } }),
  }))
  return {
    retailers: retailers
      .filter(({ rank }) => !isSearching || rank < NO_MATCH)
      .toSorted(byRank)
      .slice(0, SHOWN_RETAILERS),
    isSearching,
    failedSearch: found.isError && !isSearching ? found : undefined,
  }
}
