import { useNavigate, useSearch } from '@tanstack/react-router'

import type { ListView } from './list-view'

/** How the list of this page is looked at, and a way to change it; both are in the address. */
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
