import { QueryObserver } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createQueryClient } from '../query-client'
import { UnreachableError } from './error-message'
import { refetchLostQueries } from './lost-queries'

let isUp = false
let answers: () => unknown

const fetchHealth = async () => {
  if (!isUp) throw new TypeError('Failed to fetch')
  return new Response('{}', { status: 200 })
}
const fail = () => {
  throw new UnreachableError()
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', vi.fn<typeof fetch>(fetchHealth))
  isUp = false
  answers = fail
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A shown query of which the first call has been made. */
async function showQuery() {
  const client = createQueryClient()
  const end = refetchLostQueries(client)
  const calls = vi.fn<() => unknown>(() => answers())
  const observer = new QueryObserver(client, { queryKey: ['rows'], queryFn: async () => calls() })
  observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  const goOnline = async () => {
    window.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
  }
  return { client, observer, calls, end, goOnline }
}

describe('a query that failed because the server did not answer', () => {
  it('is fetched again when the browser is back online', async () => {
    const { observer, goOnline, end } = await showQuery()
    expect(observer.getCurrentResult().isError).toBe(true)
    isUp = true
    answers = () => 'rows'
    await goOnline()
    expect(observer.getCurrentResult().data).toBe('rows')
    end()
  })

  it('is fetched again once the server answers, without any event', async () => {
    const { observer, calls, end } = await showQuery()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toHaveBeenCalledTimes(1)
    isUp = true
    answers = () => 'rows'
    await vi.advanceTimersByTimeAsync(10_000)
    expect(observer.getCurrentResult().data).toBe('rows')
    end()
  })

  it('waits on while a proxy answers for a server that is down', async () => {
    const { calls, goOnline, end } = await showQuery()
    vi.stubGlobal('fetch', async () => new Response('Bad Gateway', { status: 502 }))
    await goOnline()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toHaveBeenCalledTimes(1)
    end()
  })

  it('is waited for again when it fails once more', async () => {
    const { observer, calls, goOnline, end } = await showQuery()
    isUp = true
    await goOnline()
    expect(calls).toHaveBeenCalledTimes(2)
    answers = () => 'rows'
    await goOnline()
    expect(observer.getCurrentResult().data).toBe('rows')
    end()
  })

  it('is fetched again too when it had succeeded before', async () => {
    answers = () => 'old rows'
    const { observer, client, goOnline, end } = await showQuery()
    answers = fail
    await client.invalidateQueries()
    isUp = true
    answers = () => 'new rows'
    await goOnline()
    expect(observer.getCurrentResult().data).toBe('new rows')
    end()
  })
})

it('leaves a query that the server has refused, or that has succeeded, as it is', async () => {
  const { client, calls, goOnline, end } = await showQuery()
  const refused = vi.fn<() => Promise<string>>(async () => {
    throw new Error('Too many calls')
  })
  const known = vi.fn<() => Promise<string>>(async () => 'known')
  new QueryObserver(client, { queryKey: ['refused'], queryFn: refused }).subscribe(() => {})
  new QueryObserver(client, { queryKey: ['known'], queryFn: known }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  isUp = true
  await goOnline()
  expect([calls, refused, known].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1])
  end()
})

it('asks nothing while nothing is lost', async () => {
  answers = () => 'rows'
  const { end, goOnline } = await showQuery()
  await goOnline()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetch).not.toHaveBeenCalled()
  end()
})

describe('a query that a proxy ends while the server answers', () => {
  const SECOND = 1000
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  beforeEach(() => {
    isUp = true
    answers = () => {
      // As of an answer that is not tRPC's.
      throw new TRPCClientError('Unexpected token < in JSON')
    }
  })

  it('is fetched less and less often, at last every five minutes', async () => {
    const { calls, end } = await showQuery()
    const counts = []
    for (let minute = 0; minute < 60; minute += 10) {
      await wait(600 * SECOND)
      counts.push(calls.mock.calls.length)
    }
    expect(counts).toEqual([6, 8, 10, 12, 14, 16])
    expect(fetch).toHaveBeenCalledTimes(15)
    end()
    await wait(600 * SECOND)
    expect(fetch).toHaveBeenCalledTimes(15)
  })

  it('is fetched as soon as at first once it has succeeded', async () => {
    const { client, calls, end } = await showQuery()
    await wait(600 * SECOND)
    answers = () => 'rows'
    await client.refetchQueries()
    answers = fail
    await client.refetchQueries()
    calls.mockClear()
    await wait(10 * SECOND)
    expect(calls).toHaveBeenCalledTimes(1)
    end()
  })

  it('is not waited for longer when its user has tried again', async () => {
    const { client, calls, end } = await showQuery()
    for (let click = 0; click < 10; click += 1) await client.refetchQueries()
    calls.mockClear()
    await wait(10 * SECOND)
    expect(calls).toHaveBeenCalledTimes(1)
    end()
  })

  it('is waited for no longer because others fail meanwhile', async () => {
    const { client, calls, end } = await showQuery()
    const others = vi.fn<() => Promise<string>>(async () => fail())
    new QueryObserver(client, { queryKey: ['other'], queryFn: others }).subscribe(() => {})
    calls.mockClear()
    for (let second = 0; second < 12; second += 4) {
      await client.refetchQueries({ queryKey: ['other'] })
      await wait(4 * SECOND)
    }
    expect(calls).toHaveBeenCalledTimes(1)
    end()
  })

  it('does not keep others waiting, after which it waits as long as before', async () => {
    const { client, calls, end } = await showQuery()
    await wait(600 * SECOND)
    const others = vi.fn<() => Promise<string>>(async () => 'other rows')
    others.mockImplementationOnce(async () => fail())
    const other = new QueryObserver(client, { queryKey: ['other'], queryFn: others })
    other.subscribe(() => {})
    calls.mockClear()
    await wait(10 * SECOND)
    expect(other.getCurrentResult().data).toBe('other rows')
    await wait(290 * SECOND)
    expect(calls).toHaveBeenCalledTimes(1)
    end()
  })
})
