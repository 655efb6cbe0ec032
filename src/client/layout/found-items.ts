import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import type { RowsPage } from '../../shared/schemas/file-rows'
import { rankMatch } from '../lib/match-rank'
import { useSignedInUser } from '../session/current-user'
import { useMay } from '../session/may'
import { useOwnRetailer } from '../session/relation'
import { trpc } from '../trpc'
import { byRank, NOTHING_FOUND, type Command, type Found } from './commands'
import { MIN_QUERY_LENGTH, useSearchedQuery } from './found-records'

const SHOWN_ITEMS = 5
/** How many cells beside the first one tell which item it is. */
const NOTE_CELLS = 3

/**
 * The rows that have the query in a cell: of a supplier's published file, or of what a retailer may see.
 * One call reads a share of a large file; the page of all rows goes on from there.
 */
export function useFoundItems(query: string): Found {
  const { role } = useSignedInUser()
  const mayBrowse = useMay('files')
  const q = useSearchedQuery(query)
  const isWanted = q !== '' && mayBrowse
  const published = usePublishedRows(q, role === 'SUPPLIER' && isWanted)
  const own = useOwnRows(q, role === 'RETAILER' && isWanted)
  if (!mayBrowse || role === 'SUPER_ADMIN' || query.length < MIN_QUERY_LENGTH) return NOTHING_FOUND
  const { rows, failed, isReading, open } = role === 'SUPPLIER' ? published : own
  const isSearching = q !== query || isReading
  return {
    commands: rows ? toCommands(rows, query, open) : [],
    isSearching,
    failed:
      failed && !isSearching
        ? { title: 'The items could not be searched', query: failed }
        : undefined,
  }
}

type Open = (q: string) => void

function usePublishedRows(q: string, isEnabled: boolean) {
  const navigate = useNavigate()
  const connections = trpc.connections.list.useQuery(undefined, { enabled: isEnabled })
  const id = (connections.data?.find(({ isActive }) => isActive) ?? connections.data?.[0])?.id ?? 0
  const file = trpc.connections.inventory.useQuery({ id }, { enabled: isEnabled && id > 0 })
  const fileName = file.data && 'fileName' in file.data ? file.data.fileName : ''
  const rows = trpc.connections.rows.useQuery(
    { id, fileName, q },
    { ...OPTIONS, enabled: isEnabled && fileName !== '' },
  )
  const open: Open = (text) =>
    void navigate({
      to: '/supplier/inventory',
      search: { connection: id, rows: 'all', q: text },
    })
  return { ...summarize([connections, file, rows]), rows: rows.data, open }
}

function useOwnRows(q: string, isEnabled: boolean) {
  const navigate = useNavigate()
  const own = useOwnRetailer({ enabled: isEnabled })
  const id = own.data?.id ?? 0
  const file = trpc.retailers.latestFile.useQuery({ id }, { enabled: isEnabled && id > 0 })
  const fileName = file.data && 'fileName' in file.data ? file.data.fileName : ''
  const rows = trpc.retailers.rows.useQuery(
    { id, fileName, q },
    { ...OPTIONS, enabled: isEnabled && fileName !== '' },
  )
  const open: Open = (text) =>
    void navigate({ to: '/retailer/inventory', search: { rows: 'all', q: text } })
  return { ...summarize([own, file, rows]), rows: rows.data, open }
}

const OPTIONS = {
  placeholderData: keepPreviousData,
  // Typing on abandons a search.
  trpc: { abortOnUnmount: true },
}

/** Of queries each of which needs the one before. */
function summarize<
  Query extends {
    isFetching: boolean
    isError: boolean
    error: unknown
    refetch: () => unknown
  },
>(queries: Query[]) {
  return {
    isReading: queries.some(({ isFetching }) => isFetching),
    failed: queries.find(({ isError }) => isError),
  }
}

/** Those of the last answer that match what has been typed since, and all that the file has. */
function toCommands({ rows, nextCursor }: RowsPage, query: string, open: Open): Command[] {
  const text = query.toLowerCase()
  const items = rows
    .filter(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(text)))
    .map(({ number, cells }) => toItem(number, cells, query, open))
    .toSorted(byRank)
  if (items.length === 0 && !nextCursor) return []
  const all = {
    group: 'Items',
    label: `All rows with “${query}”`,
    id: 'all',
    rank: 0,
    run: () => open(query),
  } as const
  return [...items.slice(0, SHOWN_ITEMS), all]
}

function toItem(number: number, cells: string[], query: string, open: Open): Command {
  const [name = '', ...others] = cells.filter(Boolean)
  const found = others.find((cell) => rankMatch(cell, query) < rankMatch(name, query))
  const note = [...new Set([found, ...others].filter((cell) => cell !== undefined))]
  return {
    group: 'Items',
    label: name,
    note: note.slice(0, NOTE_CELLS).join(' · '),
    id: String(number),
    rank: Math.min(...cells.map((cell) => rankMatch(cell, query))),
    run: () => open(name),
  }
}
