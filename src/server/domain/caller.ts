import { AsyncLocalStorage } from 'node:async_hooks'

import type { UserRecord } from '../features/people/accounts/users.queries'

/** Who causes the running code, for the audit log. Permissions are checked with the `Actor` alone. */
export type Caller = {
  /** The kind of process: a request, a command line, or a background job. */
  origin: 'web' | 'script' | 'worker'
  /** The signed-in person, with the role of the company, if there is one. */
  actor: UserRecord | null
  /** The client address as rate limits count it; null without a request. */
  address: string | null
  /** The name of the API key that the caller calls by; absent in a session. */
  keyName?: string | undefined
}

const WORKER: Caller = { origin: 'worker', actor: null, address: null }

const callers = new AsyncLocalStorage<Caller>()

export function currentCaller(): Caller {
  return callers.getStore() ?? WORKER
}

/** Runs `work`, and everything asynchronous that it starts, on behalf of a caller. */
export function withCaller<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work)
}

/** Runs a background job: what a request has caused to start is not the doing of its user. */
export function asWorker<T>(work: () => T): T {
  return callers.run(WORKER, work)
}
