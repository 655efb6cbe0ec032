import { useNavigate } from '@tanstack/react-router'

import { NO_MATCH, rankMatch } from '../lib/match-rank'
import { useSignedInUser } from '../session/current-user'
import { byRank, GROUPS, type Command, type FailedSearch, type Unranked } from './commands'
import { useFoundItems } from './found-items'
import { useFoundRetailers, useFoundSuppliers } from './found-records'
import { useNavItems } from './nav-items'
import { useActions, type PaletteDialogs } from './own-actions'
import { useOwnSuppliers } from './own-suppliers'

export interface CommandGroup {
  name: Command['group']
  /** The best matches first. */
  commands: Command[]
}

interface Commands {
  groups: CommandGroup[]
  isSearching: boolean
  failedSearches: FailedSearch[]
}

/**
 * The commands of the user's role that match the query: records first, then the groups of what can be
 * done and opened, that of the best match before the others.
 */
export function useCommands(query: string, dialogs: PaletteDialogs): Commands {
  const own = [...useActions(dialogs), ...usePages()].map((command): Command => ({
    ...command,
    rank: rankMatch(command.label, query),
  }))
  const searches = [
    useFoundSuppliers(query),
    useOwnSuppliers(query),
    useFoundRetailers(query),
    useFoundItems(query),
  ]
  const matching = own.filter(({ rank }) => rank < NO_MATCH).toSorted(byRank)
  return {
    groups: [
      ...toGroups(searches.flatMap(({ commands }) => commands)),
      ...toGroups(matching).toSorted((left, right) =>
        byRank(left.commands[0]!, right.commands[0]!),
      ),
    ],
    isSearching: searches.some(({ isSearching }) => isSearching),
    failedSearches: searches.flatMap(({ failed }) => failed ?? []),
  }
}

const toGroups = (commands: Command[]): CommandGroup[] =>
  GROUPS.map((name) => ({
    name,
    commands: commands.filter(({ group }) => group === name),
  })).filter((group) => group.commands.length > 0)

function usePages(): Unranked[] {
  const { role } = useSignedInUser()
  const items = useNavItems()
  const navigate = useNavigate()
  const everybodys = [
    { label: 'API', to: '/api-docs' },
    { label: 'Alerts', to: '/alerts' },
    { label: 'API keys', to: '/api-keys' },
    { label: 'Sessions', to: '/sessions' },
    ...(role === 'SUPER_ADMIN' ? [] : [{ label: 'People', to: '/people' } as const]),
    { label: 'Help', to: '/help' },
  ] as const
  return [...items, ...everybodys].map(({ label, to }) => ({
    group: 'Pages',
    label,
    id: to,
    run: () => void navigate({ to }),
  }))
}
