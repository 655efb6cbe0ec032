import { beforeEach, describe, expect, it } from 'vitest'

import type { HostGate } from '../../fetch/host-gate'
import { createHostSlots, type HostSlots } from './host-slots'

describe('the host slots of a child', () => {
  let seen: string[]
  /** Admits the request that waits at the gate. */
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
  const slotsAt = (hosts: HostGate | undefined): HostSlots =>
    createHostSlots(hosts, (slot) => seen.push(`slot ${slot}`))

  beforeEach(() => (seen = []))

  it('are granted when the gate admits the child, and released when it leaves', async () => {
    const slots = slotsAt(gate)
    slots.enter(1, 'shop.example')
    expect(seen).toEqual(['waits at shop.example'])
    open()
    await expect.poll(() => seen).toContain('slot 1')
    slots.leave(1)
    expect(seen).toEqual(['waits at shop.example', 'slot 1', 'leaves shop.example'])
  })

  it('are all released at the end of its task, and no longer granted', async () => {
    const slots = slotsAt(gate)
    slots.enter(1, 'shop.example')
    open()
    await expect.poll(() => seen).toContain('slot 1')
    slots.enter(2, 'other.example')
    slots.end()
    expect(seen.at(-1)).toBe('leaves shop.example')
    await new Promise(setImmediate)
    expect(seen).not.toContain('slot 2')
  })

  it('are granted at once without a gate, and when the gate fails', async () => {
    slotsAt(undefined).enter(1, 'shop.example')
    const failing: HostGate = { enter: () => Promise.reject(new Error('The disk is full')) }
    slotsAt(failing).enter(2, 'shop.example')
    await expect.poll(() => seen).toEqual(['slot 1', 'slot 2'])
  })

  it('are at most 10, each with a number of its own', () => {
    const slots = slotsAt(gate)
    for (let slot = 1; slot <= 10; slot++) slots.enter(slot, 'shop.example')
    expect(() => slots.enter(11, 'shop.example')).toThrow('Too many')
    expect(() => slots.enter(1, 'shop.example')).toThrow('Too many')
    slots.end()
  })
})
