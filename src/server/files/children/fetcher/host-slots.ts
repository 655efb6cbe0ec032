import type { HostGate } from '../../fetch/host-gate'

/** More than a task needs: it releases a slot before it asks for the next. */
const MAX_SLOTS = 10

/** The slots at hosts that a child's task holds or waits for, by the child's own numbers. */
export interface HostSlots {
  /** @throws Error for too many slots, or a number that is in use */
  enter(slot: number, host: string): void
  leave(slot: number): void
  /** Releases all of them; must be called even when the child has died. */
  end(): void
}

/** @param gate without one, every slot is granted at once */
export function createHostSlots(
  gate: HostGate | undefined,
  onEntered: (slot: number) => void,
): HostSlots {
  const slots = new Map<number, AbortController>()
  return {
    enter(slot, host) {
      if (slots.size >= MAX_SLOTS || slots.has(slot)) throw new Error('Too many host slots')
      const left = new AbortController()
      slots.set(slot, left)
      void holdSlot(gate, host, left.signal, () => onEntered(slot))
    },
    leave(slot) {
      slots.get(slot)?.abort()
      slots.delete(slot)
    },
    end() {
      for (const left of slots.values()) left.abort()
      slots.clear()
    },
  }
}

/** Waits for the slot and holds it until `left` fires, which may happen before it is granted. */
async function holdSlot(
  gate: HostGate | undefined,
  host: string,
  left: AbortSignal,
  onEntered: () => void,
): Promise<void> {
  // When the gate fails, the task goes on: the same fault, a full disk for example, stops it later.
  const leave = await gate?.enter(host, left).catch(() => undefined)
  if (left.aborted) return leave?.()
  if (leave) left.addEventListener('abort', leave, { once: true })
  onEntered()
}
