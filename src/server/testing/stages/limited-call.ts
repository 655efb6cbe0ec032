import type { LimitName } from '../../domain/limits'
import type { Client } from './test-app'
import type { World } from './world'

export type Call = {
  client: Client
  body: Record<string, unknown>
  params?: Record<string, number>
}

export type LimitedCall = {
  limit: LimitName
  /** The number of calls before the first throttled one; `retryAfterSeconds` is its wait. */
  allowed: number
  /** A call cancels the previous one of the same user, so they must not be concurrent. */
  isOneAtATime?: true
  retryAfterSeconds: number
  /** null for a call without a route. */
  route: string | null
  procedure: string
  /** The status of calls that are not throttled. */
  status: number
  /** The `count`-th call of the subject that is counted. */
  make(world: World, count: number): Call | Promise<Call>
  /** The same call by another subject, which is not throttled. */
  makeOther(world: World): Call | Promise<Call>
}
