import { createTRPCQueryUtils } from '@trpc/react-query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MAX_BATCH_COST, MAX_CALL_COST, MAX_QUERY_COST } from '../shared/constants'
import { errorMessage, errorStatus } from './lib/error-message'
import { createQueryClient } from './query-client'
import { createTrpcClient } from './trpc'

const realFetch = globalThis.fetch
/** The number of calls in each request. */
let batches: number[]
let answer: (calls: number) => Response

beforeEach(() => {
  batches = []
  globalThis.fetch = (address) => {
    const url = address instanceof Request ? address.url : String(address)
    const calls = (/\/trpc\/([^?]*)/.exec(url)?.[1] ?? '').split(',').length
    batches.push(calls)
    return Promise.resolve(answer(calls))
  }
})
afterEach(() => {
  globalThis.fetch = realFetch
})

const openPage = () =>
  createTRPCQueryUtils({ queryClient: createQueryClient(), client: createTrpcClient() })

describe('tRPC batching', () => {
  const twenty = Array.from({ length: 20 }, (_, id) => ({ id }))
  const answerAll = (calls: number) =>
    Response.json(Array.from({ length: calls }, () => ({ result: { data: null } })))

  it('sends as many calls at once as stay within the cost limit', async () => {
    answer = answerAll
    const { retailers } = openPage()
    await Promise.all(twenty.map((retailer) => retailers.get.fetch(retailer)))
    expect(batches).toEqual([10, 10])
    expect(10 * MAX_QUERY_COST).toBeLessThanOrEqual(MAX_BATCH_COST)
  })

  it('sends fewer of those that cost the most, apart from others', async () => {
    answer = answerAll
    const { retailers } = openPage()
    const calls = twenty.map((retailer) => retailers.changes.fetch(retailer))
    await Promise.all([...calls, retailers.get.fetch({ id: 1 })])
    expect(batches.toSorted((a, b) => a - b)).toEqual([1, 4, 4, 4, 4, 4])
    expect(4 * MAX_CALL_COST).toBeLessThanOrEqual(MAX_BATCH_COST)
  })

  it('reports how long to wait after a 429, and does not retry', async () => {
    const message = 'Too many calls. Try again in 34 seconds.'
    const error = { message, code: -32_029, data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429 } }
    answer = () => Response.json({ error }, { status: 429, headers: { 'retry-after': '34' } })
    const { app, session } = openPage()
    const describeError = (reason: unknown) => [errorStatus(reason), errorMessage(reason)]
    const pending = [app.info.fetch(), session.current.fetch()]
    expect(await Promise.all(pending.map((call) => call.catch(describeError)))).toEqual([
      [429, message],
      [429, message],
    ])
    expect(batches).toEqual([2])
  })
})
