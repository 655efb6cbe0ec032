import { beforeEach, describe, expect, it } from 'vitest'

import { type KeyedSemaphore, createKeyedSemaphore } from './keyed-semaphore'

const { signal } = new AbortController()

let lanes: KeyedSemaphore<string>
let entered: string[]

beforeEach(() => {
  lanes = createKeyedSemaphore((key) => (key === 'wide' ? 2 : 1))
  entered = []
})

/** Enters without waiting for the place. */
async function enter(name: string, key = 'narrow', waiting: AbortSignal = signal) {
  const leave = await lanes.enter(key, waiting)
  entered.push(name)
  return leave
}

describe('lanes', () => {
  it('let as many through at once as a key has places, and keep the order of arrival', async () => {
    const first = await enter('first')
    const others = ['second', 'third'].map((name) => enter(name))
    await Promise.all([enter('wide', 'wide'), enter('wide too', 'wide')])
    expect(entered).toEqual(['first', 'wide', 'wide too'])
    first()
    const second = await others[0]
    expect(entered.at(-1)).toBe('second')
    second?.()
    await others[1]
    expect(entered.at(-1)).toBe('third')
  })

  it('give one place back, however often it is left', async () => {
    const leave = await enter('first')
    const waiting = [enter('second'), enter('third')]
    leave()
    leave()
    await waiting[0]
    await new Promise(setImmediate)
    expect(entered).toEqual(['first', 'second'])
  })

  it('pass over who has given up waiting', async () => {
    const leave = await enter('first')
    const givingUp = new AbortController()
    const second = enter('second', 'narrow', givingUp.signal)
    const third = enter('third')
    givingUp.abort(new Error('No longer needed'))
    await expect(second).rejects.toThrow('No longer needed')
    leave()
    await third
    expect(entered).toEqual(['first', 'third'])
  })

  it('pass a place on that comes at the moment of giving up', async () => {
    const leave = await enter('first')
    const givingUp = new AbortController()
    const second = enter('second', 'narrow', givingUp.signal)
    const third = enter('third')
    givingUp.abort(new Error('No longer needed'))
    leave()
    await expect(second).rejects.toThrow('No longer needed')
    await third
    expect(entered).toEqual(['first', 'third'])
  })

  it('let nobody in who has given up before', async () => {
    const gone = AbortSignal.abort(new Error('No longer needed'))
    await expect(enter('first', 'narrow', gone)).rejects.toThrow('No longer needed')
    await enter('second')
    expect(entered).toEqual(['second'])
  })
})
