import type { FailedQuery } from '../components/feedback/message-state'

/** In the order in which they are listed. */
export const GROUPS = ['Suppliers', 'Retailers', 'Items', 'Actions', 'Pages', 'Keys'] as const

export interface Command {
  group: (typeof GROUPS)[number]
  label: string
  /** Beside the label, less prominently. */
  note?: string
  /** The keys that do the same. */
  keys?: string[]
  /** Distinguishes commands with the same label. */
  id: string
  /** How well it matches, as by `rankMatch`. */
  rank: number
  run: () => void
}

export type Unranked = Omit<Command, 'rank'>

/** Records that match what was typed. */
export interface Found {
  commands: Command[]
  isSearching: boolean
  /** The search of this query, when it has failed. */
  failed?: FailedSearch | undefined
}

export interface FailedSearch {
  title: string
  query: FailedQuery
}

export const NOTHING_FOUND: Found = { commands: [], isSearching: false }

export const byRank = (left: Command, right: Command) => left.rank - right.rank
