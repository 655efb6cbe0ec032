import { useNavigate, useSearch } from '@tanstack/react-router'

import type { AuditView } from './audit-view'

/** The filters in the URL of the current page, and a function that changes some of them. */
export function useAuditView(): [AuditView, (change: AuditView) => void] {
  const navigate = useNavigate()
  const view: AuditView = useSearch({ strict: false })
  const setView = (change: AuditView) =>
    void navigate({
      to: '.',
      search: (current: AuditView) => ({ ...current, ...change }),
      // Not each letter of a name is a step back.
      replace: 'who' in change,
    })
  return [view, setView]
}
