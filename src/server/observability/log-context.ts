import { AsyncLocalStorage } from 'node:async_hooks'

const requestIds = new AsyncLocalStorage<string | undefined>()

/** The id of the request that caused the running code, even in a worker; part of every log line. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore()
}

/** Runs `work`, and everything asynchronous that it starts, on behalf of a request. */
export function withRequestId<T>(requestId: string | undefined, work: () => T): T {
  return requestIds.run(requestId, work)
}
