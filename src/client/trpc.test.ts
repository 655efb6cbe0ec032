import { createTRPCQueryUtils } from '@trpc/react-query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MAX_BATCH_COST, MAX_CALL_COST } from '../shared/constants'
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
  it('sends batches that stay within the cost limit even for the dearest calls', async () => {
    answer = (calls) =>
      Response.json(Array.from({ length: calls }, () => ({ result: { data: null } })))
    const { retailers } = openPage()
    await Promise.all(Array.from({ length: 20 }, (_, id) => retailers.get.fetch({ id })))
    expect(batches.reduce((sum, calls) => sum + calls)).toBe(20)
    expect(Math.max(...batches) * MAX_CALL_COST).toBeLessThanOrEqual(MAX_BATCH_COST)
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
