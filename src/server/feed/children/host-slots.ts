import type { HostGate } from '../fetch/host-gate'

/** A task holds one turn, and asks for the next after it has left: this is more than it needs. */
const MAX_TURNS = 10

/** The turns at hosts that a child's task has or waits for. */
export interface HostSlots {
  /** @throws Error for more turns than a task needs */
  enter(turn: number, host: string): void
  leave(turn: number): void
  /** Gives all of them back, whatever has become of the child. */
  end(): void
}

/** @param gate without one, every turn comes at once */
export function createHostSlots(
  gate: HostGate | undefined,
  onEntered: (turn: number) => void,
): HostSlots {
  const turns = new Map<number, AbortController>()
  return {
    enter(turn, host) {
      if (turns.size >= MAX_TURNS || turns.has(turn)) throw new Error('Too many host slots')
      const left = new AbortController()
      turns.set(turn, left)
      void take(gate, host, left.signal, () => onEntered(turn))
    },
    leave(turn) {
      turns.get(turn)?.abort()
      turns.delete(turn)
    },
    end() {
      for (const left of turns.values()) left.abort()
      turns.clear()
    },
  }
}

/** Holds the turn until `left` fires, also where that comes before the turn. */
async function take(
  gate: HostGate | undefined,
  host: string,
  left: AbortSignal,
  onEntered: () => void,
): Promise<void> {
  // A gate that fails keeps nobody waiting: what it fails of, a full disk, stops the task elsewhere.
  const leave = await gate?.enter(host, left).catch(() => undefined)
  if (left.aborted) return leave?.()
  if (leave) left.addEventListener('abort', leave, { once: true })
  onEntered()
}
