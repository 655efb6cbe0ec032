import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { LeaseLostError } from './lease'
import { runLeased, type LeasedRun } from './run-leased'

const RENEW_EVERY_MS = 8_000
const CHECK_EVERY_MS = 1_000

/** The token of the current lease. */
let holder: string | null
/** The steps of the runs so far, in order. */
let steps: string[]
let stopping: AbortController

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  holder = 'first'
  steps = []
  stopping = new AbortController()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Releases the lease, as the transaction that records the end of a run does. */
function release(token: string): void {
  if (holder !== token) throw new LeaseLostError()
  holder = null
}

function start(changes: Partial<LeasedRun<string, string>> = {}, token = 'first') {
  const run: LeasedRun<string, string> = {
    async renew() {
      steps.push('renew')
      return holder === token
    },
    async work() {
      steps.push('work')
      return 'the result'
    },
    async succeed(done) {
      release(token)
      return `succeeded with ${done}`
    },
    async fail(error) {
      release(token)
      return `failed for ${(error as Error).message}`
    },
    lose: async () => 'lost',
    ...changes,
  }
  return runLeased(run, stopping.signal)
}

/** Work that continues until the test ends it, or until it is aborted and throws `fault`. */
function createLongWork(fault?: Error) {
  const begun = Promise.withResolvers<AbortSignal>()
  const ended = Promise.withResolvers<string>()
  const work = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => ended.reject(fault ?? signal.reason))
    begun.resolve(signal)
    return ended.promise
  }
  return { work, begun: begun.promise, end: () => ended.resolve('the result') }
}

describe('a run that keeps its lease', () => {
  it('does its work once, records the result and releases the lease', async () => {
    expect(await start()).toBe('succeeded with the result')
    expect(steps).toEqual(['work'])
    expect(holder).toBeNull()
  })

  it('records a failure once, and releases the lease', async () => {
    const work = async () => Promise.reject(new Error('a fault'))
    expect(await start({ work })).toBe('failed for a fault')
    expect(holder).toBeNull()
  })

  it('records a failure when the result cannot be recorded', async () => {
    const succeed = async () => Promise.reject(new Error('no room'))
    expect(await start({ succeed })).toBe('failed for no room')
  })

  it('renews the lease until its end is recorded', async () => {
    const recording = Promise.withResolvers<string>()
    const ended = start({ succeed: () => recording.promise })
    await vi.advanceTimersByTimeAsync(2 * RENEW_EVERY_MS)
    expect(steps).toEqual(['work', 'renew', 'renew'])
    recording.resolve('recorded')
    expect(await ended).toBe('recorded')
    await vi.advanceTimersByTimeAsync(2 * RENEW_EVERY_MS)
    expect(steps).toEqual(['work', 'renew', 'renew'])
  })

  it('continues when a renewal throws, which does not mean that the lease was lost', async () => {
    const { work, begun, end } = createLongWork()
    const renew = () => Promise.reject(new Error('The database is busy'))
    const ended = start({ work, renew })
    await vi.advanceTimersByTimeAsync(2 * RENEW_EVERY_MS)
    expect((await begun).aborted).toBe(false)
    end()
    expect(await ended).toBe('succeeded with the result')
  })
})

describe('a run that loses its lease', () => {
  it.each([
    ['check', CHECK_EVERY_MS, { isStillLeased: async () => holder === 'first' }],
    ['renewal', RENEW_EVERY_MS, {}],
  ])('is aborted at the next %s and records only the loss', async (_what, afterMs, changes) => {
    const { work, begun } = createLongWork()
    const ended = start({ work, ...changes })
    const signal = await begun
    holder = 'second'
    await vi.advanceTimersByTimeAsync(afterMs - 1)
    expect(signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signal.reason).toBeInstanceOf(LeaseLostError)
    expect(await ended).toBe('lost')
    expect(holder).toBe('second')
  })

  it('does not record the error thrown by its aborted work', async () => {
    const fail = vi.fn<() => Promise<string>>()
    const { work } = createLongWork(new Error('The connection was closed'))
    const ended = start({ work, fail })
    holder = 'second'
    await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS)
    expect(await ended).toBe('lost')
    expect(fail).not.toHaveBeenCalled()
  })

  it('records no result after another run has taken over', async () => {
    const fail = vi.fn<() => Promise<string>>()
    const { work, end } = createLongWork()
    const first = start({ work, fail })
    holder = 'second'
    const second = start({}, 'second')
    end()
    expect(await Promise.all([first, second])).toEqual(['lost', 'succeeded with the result'])
    expect(fail).not.toHaveBeenCalled()
  })

  it('records no failure after another run has taken over', async () => {
    const work = async () => {
      holder = 'second'
      throw new Error('a fault')
    }
    expect(await start({ work })).toBe('lost')
    expect(holder).toBe('second')
  })
})

describe('a run that is aborted', () => {
  it('stops its work and records the reason', async () => {
    const { work, begun } = createLongWork()
    const ended = start({ work })
    await begun
    stopping.abort(new Error('the process stops'))
    expect(await ended).toBe('failed for the process stops')
    expect(holder).toBeNull()
  })

  it('records the result if the work finished anyway', async () => {
    const work = async () => {
      stopping.abort(new Error('the process stops'))
      return 'the result'
    }
    expect(await start({ work })).toBe('succeeded with the result')
  })
})

describe('a run whose end cannot be recorded', () => {
  it('throws the error and lets its lease expire', async () => {
    const ended = start({
      work: async () => Promise.reject(new Error('a fault')),
      fail: async () => Promise.reject(new Error('The disk is full')),
    })
    await expect(ended).rejects.toThrow('The disk is full')
    expect(holder).toBe('first')
    await vi.advanceTimersByTimeAsync(2 * RENEW_EVERY_MS)
    expect(steps).toEqual([])
  })

  it('throws the error when recording a lost lease fails', async () => {
    holder = 'second'
    const lose = async () => Promise.reject(new Error('The disk is full'))
    await expect(start({ lose })).rejects.toThrow('The disk is full')
  })
})
