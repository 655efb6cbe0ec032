import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'

import type { ListView } from './list-view'

/**
 * The list view in the URL of the current page, which may have filters of its own, and a function that changes it. Back undoes a sort, a
 * page and a page size, but not each letter of a search: a search replaces the history entry.
 */
export function useListView<View extends ListView = ListView>(): [View, (change: View) => void] {
  const navigate = useNavigate()
  const view: ListView = useSearch({ strict: false })
  const setView = (change: View) =>
    void navigate({
      to: '.',
      search: (current: ListView) => ({ ...current, ...change }),
      replace: 'q' in change,
    })
  // What a route has besides, it reads with `validateSearch`.
  return [view as View, setView]
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The view of the list that the page was opened from, to link back to. */
    list?: ListView
  }
}

/** The view of the list that this page was opened from; the default view if it was opened otherwise. */
export function useListOfOrigin(): ListView {
  return useLocation({ select: ({ state }) => state.list }) ?? {}
}
