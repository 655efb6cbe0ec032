import { beforeEach, describe, expect, it } from 'vitest'

import type { HostGate } from '../fetch/host-gate'
import { createHostSlots, type HostSlots } from './host-slots'

describe('the turns at hosts that a child has', () => {
  let seen: string[]
  /** Lets those in who wait at a host. */
  let open: () => void
  const gate: HostGate = {
    async enter(host, signal) {
      seen.push(`waits at ${host}`)
      await new Promise<void>((resolve, reject) => {
        open = resolve
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return () => void seen.push(`leaves ${host}`)
    },
  }
  const turnsAt = (hosts: HostGate | undefined): HostSlots =>
    createHostSlots(hosts, (turn) => seen.push(`turn ${turn}`))

  beforeEach(() => (seen = []))

  it('come when the gate lets it in, and end when it leaves', async () => {
    const turns = turnsAt(gate)
    turns.enter(1, 'shop.example')
    expect(seen).toEqual(['waits at shop.example'])
    open()
    await expect.poll(() => seen).toContain('turn 1')
    turns.leave(1)
    expect(seen).toEqual(['waits at shop.example', 'turn 1', 'leaves shop.example'])
  })

  it('end with its task, whatever became of the child', async () => {
    const turns = turnsAt(gate)
    turns.enter(1, 'shop.example')
    open()
    await expect.poll(() => seen).toContain('turn 1')
    turns.enter(2, 'other.example')
    turns.end()
    expect(seen.at(-1)).toBe('leaves shop.example')
    await new Promise(setImmediate)
    expect(seen).not.toContain('turn 2')
  })

  it('come at once without a gate, and when the gate fails', async () => {
    turnsAt(undefined).enter(1, 'shop.example')
    const failing: HostGate = { enter: () => Promise.reject(new Error('The disk is full')) }
    turnsAt(failing).enter(2, 'shop.example')
    await expect.poll(() => seen).toEqual(['turn 1', 'turn 2'])
  })

  it('are few', () => {
    const turns = turnsAt(gate)
    for (let turn = 1; turn <= 10; turn++) turns.enter(turn, 'shop.example')
    expect(() => turns.enter(11, 'shop.example')).toThrow('Too many')
    expect(() => turns.enter(1, 'shop.example')).toThrow('Too many')
    turns.end()
  })
})
