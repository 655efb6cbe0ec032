import { AsyncLocalStorage } from 'node:async_hooks'

const requestIds = new AsyncLocalStorage<string | undefined>()

/** The request that the running code works for, in whatever process; every log line carries it. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore()
}

/** Runs `work`, and whatever follows from it, on behalf of a request. */
export function withRequestId<T>(requestId: string | undefined, work: () => T): T {
  return requestIds.run(requestId, work)
}
