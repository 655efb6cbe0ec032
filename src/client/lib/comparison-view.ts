import { CHANGE_KINDS, type ChangeKind } from '../../shared/constants'
import { readQuery } from './list-view'

/** Which files are compared, and which of their changes are shown, kept in the URL. */
export interface ComparisonView {
  /** The names of the two files; without them, those that are most likely meant. */
  from?: string | undefined
  to?: string | undefined
  kind?: ChangeKind | undefined
  /** A part of the SKUs that are searched. */
  q?: string | undefined
}

/** Reads a view from URL search parameters, dropping invalid values. */
export const readComparisonView = ({
  from,
  to,
  kind,
  q,
}: Record<string, unknown>): ComparisonView => ({
  from: readQuery(from),
  to: readQuery(to),
  kind: CHANGE_KINDS.find((known) => known === kind),
  q: readQuery(q),
})
