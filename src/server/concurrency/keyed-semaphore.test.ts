import { beforeEach, describe, expect, it } from 'vitest'

import { type KeyedSemaphore, createKeyedSemaphore } from './keyed-semaphore'

const { signal } = new AbortController()

let semaphore: KeyedSemaphore<string>
let acquired: string[]

beforeEach(() => {
  semaphore = createKeyedSemaphore((key) => (key === 'wide' ? 2 : 1))
  acquired = []
})

/** Acquires a slot and records it under a name. */
async function acquire(name: string, key = 'narrow', waiting: AbortSignal = signal) {
  const release = await semaphore.acquire(key, waiting)
  acquired.push(name)
  return release
}

describe('a keyed semaphore', () => {
  it('grants as many slots as a key has, and the next ones in order of arrival', async () => {
    const first = await acquire('first')
    const others = ['second', 'third'].map((name) => acquire(name))
    await Promise.all([acquire('wide', 'wide'), acquire('wide too', 'wide')])
    expect(acquired).toEqual(['first', 'wide', 'wide too'])
    first()
    const second = await others[0]
    expect(acquired.at(-1)).toBe('second')
    second?.()
    await others[1]
    expect(acquired.at(-1)).toBe('third')
  })

  it('releases a slot only once, however often that is called', async () => {
    const release = await acquire('first')
    const waiting = [acquire('second'), acquire('third')]
    release()
    release()
    await waiting[0]
    await new Promise(setImmediate)
    expect(acquired).toEqual(['first', 'second'])
  })

  it('skips a waiting caller whose signal has fired', async () => {
    const release = await acquire('first')
    const aborting = new AbortController()
    const second = acquire('second', 'narrow', aborting.signal)
    const third = acquire('third')
    aborting.abort(new Error('No longer needed'))
    await expect(second).rejects.toThrow('No longer needed')
    release()
    await third
    expect(acquired).toEqual(['first', 'third'])
  })

  it('passes a slot on when the caller is aborted at the moment it is granted', async () => {
    const release = await acquire('first')
    const aborting = new AbortController()
    const second = acquire('second', 'narrow', aborting.signal)
    const third = acquire('third')
    aborting.abort(new Error('No longer needed'))
    release()
    await expect(second).rejects.toThrow('No longer needed')
    await third
    expect(acquired).toEqual(['first', 'third'])
  })

  it('grants nothing to a caller whose signal has already fired', async () => {
    const gone = AbortSignal.abort(new Error('No longer needed'))
    await expect(acquire('first', 'narrow', gone)).rejects.toThrow('No longer needed')
    await acquire('second')
    expect(acquired).toEqual(['second'])
  })
})
