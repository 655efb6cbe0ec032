import { useNavigate, useSearch } from '@tanstack/react-router'

import type { RowsView } from './rows-view'

/** The rows view in the URL of the current page, and a function that changes it. */
export function useRowsView(): [RowsView, (change: RowsView) => void] {
  const navigate = useNavigate()
  const view: RowsView = useSearch({ strict: false })
  const setView = (change: RowsView) =>
    void navigate({
      to: '.',
      search: (current: RowsView) => ({ ...current, ...change }),
      // Back closes the rows, but does not undo a search letter by letter.
      replace: change.rows === undefined || view.rows !== undefined,
      resetScroll: false,
    })
  return [view, setView]
}
