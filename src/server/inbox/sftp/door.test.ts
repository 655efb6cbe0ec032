import { beforeEach, expect, it } from 'vitest'

import { SFTP_LIMITS } from '../limits'
import { createDoor, type Door, type Visitor } from './door'

const LIMITS = { ...SFTP_LIMITS, strangers: 4, strangersOfNetwork: 3, handshakesOfNetwork: 10 }

let now: number
let door: Door
let closed: Visitor[]
beforeEach(() => {
  now = 0
  closed = []
  door = createDoor(LIMITS, () => now)
})

function come(network: string): { visitor: Visitor; isIn: boolean } {
  const visitor: Visitor = {
    network,
    since: now,
    isSignedIn: false,
    close: () => closed.push(visitor),
  }
  return { visitor, isIn: door.admit(visitor) }
}

it('lets few in from one network before they have signed in', () => {
  expect([1, 2, 3, 4].map(() => come('a').isIn)).toEqual([true, true, true, false])
  expect(come('b').isIn).toBe(true)
  expect(door.turnedAway()).toBe(1)
})

it('pushes out the oldest of the largest network when it is full, and nobody else', () => {
  const first = come('a')
  come('b')
  come('a')
  come('a')
  expect(come('c').isIn).toBe(true)
  expect(closed).toEqual([first.visitor])
})

it('has a place for everybody beside a flood from many networks', () => {
  for (let index = 0; index < 100; index++) come(`flood ${index}`)
  const guest = come('guest')
  expect(guest.isIn).toBe(true)
  expect(door.seat(guest.visitor)).toBe(true)
  for (let index = 0; index < 100; index++) come(`more ${index}`)
  expect(closed).not.toContain(guest.visitor)
})

it('closes who has not signed in in time, and nobody who has', () => {
  const [slow, guest] = [come('a').visitor, come('a').visitor]
  door.seat(guest)
  now = LIMITS.signInWithinMs + 1
  const late = come('a').visitor
  door.sweep()
  expect(closed).toEqual([slow])
  expect(closed).not.toContain(late)
})

it('limits the handshakes from a network within a minute', () => {
  const comeAndGo = () => {
    const { visitor, isIn } = come('a')
    door.leave(visitor)
    return isIn
  }
  const outcomes = Array.from({ length: 12 }, comeAndGo)
  expect(outcomes.filter(Boolean)).toHaveLength(10)
  now = 60_001
  expect(comeAndGo()).toBe(true)
})

it('turns away a network that has shown too many wrong proofs, for ten minutes', () => {
  for (let index = 0; index < LIMITS.failuresOfNetwork; index++) door.noteFailure('a')
  expect([come('a').isIn, come('b').isIn]).toEqual([false, true])
  now = 10 * 60_000 + 1
  expect(come('a').isIn).toBe(true)
})

it('counts nobody who has left', () => {
  const { visitor } = come('a')
  door.seat(visitor)
  door.leave(visitor)
  door.leave(visitor)
  expect(door.size()).toBe(0)
})
