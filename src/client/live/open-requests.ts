import { skipToken, useQuery } from '@tanstack/react-query'

/** Where the event stream puts how many requests wait. */
export const OPEN_REQUESTS = ['open-requests']

/** How many requests of retailers wait for the supplier; 0 until it is known. */
export const useOpenRequests = (): number =>
  useQuery<number>({ queryKey: OPEN_REQUESTS, queryFn: skipToken }).data ?? 0
