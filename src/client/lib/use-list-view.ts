import { useNavigate, useSearch } from '@tanstack/react-router'

import type { ListView } from './list-view'

/** The list view in the URL of the current page, and a function that changes it. */
export function useListView(): [ListView, (change: ListView) => void] {
  const navigate = useNavigate()
  const view: ListView = useSearch({ strict: false })
  const setView = (change: ListView) =>
    void navigate({
      to: '.',
      search: (current: ListView) => ({ ...current, ...change }),
      replace: true,
    })
  return [view, setView]
}
