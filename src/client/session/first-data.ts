import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'

import { FIRST_DATA_ID, type FirstData } from '../../shared/first-data'
import type { CurrentUser } from '../../shared/schemas/user'
import { trpc } from '../trpc'
import { adoptIdentity, currentUserKey } from './identity'
import { personIdOf } from './may'

/** What the stream of changes begins with, or is told of, or what never changes: `live-cache.ts`. */
const KNOWN_LATER = /^(?:app|alerts|connections|publishing|timeline|columnPolicy|cronJobs)\./

/** What the page has brought, and may have changed before the stream of changes begins. */
const unconfirmed = new WeakMap<QueryClient, QueryKey[]>()

/** Puts the results that the page has brought with it into the cache, as if the client had fetched them. */
export function takeFirstData(queryClient: QueryClient): QueryClient {
  const element = document.getElementById(FIRST_DATA_ID)
  const results = element ? (JSON.parse(element.textContent) as FirstData) : []
  const keys = results.map(({ path, input, data }) => {
    const key = [path.split('.'), { ...(input !== undefined && { input }), type: 'query' }]
    queryClient.setQueryData(key, data)
    return KNOWN_LATER.test(path) ? [] : [key]
  })
  unconfirmed.set(queryClient, keys.flat())
  return queryClient
}

/**
 * Returns a function for when the stream of changes has begun: it fetches once more what the page has brought, because
 * that may have changed before, and somebody else may have signed in in another tab.
 */
export function useConfirmFirstData(): () => void {
  const queryClient = useQueryClient()
  const { client } = trpc.useUtils()
  const [confirm] = useState(() => async () => {
    const keys = unconfirmed.get(queryClient) ?? []
    unconfirmed.delete(queryClient)
    if (keys.length === 0) return
    for (const queryKey of keys.filter((key) => !isIdentity(key))) {
      void queryClient.invalidateQueries({ queryKey, exact: true })
    }
    const user = await client.session.current.query()
    const known = queryClient.getQueryData<CurrentUser | null>(currentUserKey())
    if ((user && personIdOf(user)) !== (known && personIdOf(known)))
      adoptIdentity(queryClient, user)
  })
  return () => void confirm().catch(() => undefined)
}

const isIdentity = (key: QueryKey) => JSON.stringify(key) === JSON.stringify(currentUserKey())
