import { MINUTE_MS } from '../../../shared/durations'
import type { SftpLimits } from '../limits'

const FAILURE_WINDOW_MS = 10 * MINUTE_MS
/** Counts of more networks are begun anew. */
const MAX_NETWORKS = 50_000

/** A connection, as far as the door is concerned. */
export interface Visitor {
  network: string
  /** When it came. */
  since: number
  isSignedIn: boolean
  close(): void
}

/** Decides who is let in, before it costs anything. */
export interface Door {
  /** Whether a connection may come in, which may push out another. */
  admit(visitor: Visitor): boolean
  /** Whether a connection that has signed in may stay. */
  seat(visitor: Visitor): boolean
  /** A proof was wrong. */
  noteFailure(network: string): void
  leave(visitor: Visitor): void
  /** Closes connections that have not signed in in time. */
  sweep(): void
  turnedAway(): number
  size(): number
}

export function createDoor(limits: SftpLimits, now: () => number): Door {
  const strangers = new Set<Visitor>()
  const guests = new Map<string, number>()
  const strangersOf = new Map<string, number>()
  const handshakes = createCounts(MINUTE_MS, now)
  const failures = createCounts(FAILURE_WINDOW_MS, now)
  let seated = 0
  let turnedAway = 0

  function dropStranger(visitor: Visitor): void {
    if (strangers.delete(visitor)) add(strangersOf, visitor.network, -1)
  }
  /** Makes room for one: the oldest of the network that has most goes, unless that is the one who comes. */
  function makeRoom(network: string): boolean {
    if (strangers.size < limits.strangers) return true
    let [largest, most] = ['', strangersOf.get(network) ?? 0]
    for (const [name, count] of strangersOf) if (count > most) [largest, most] = [name, count]
    const pushed = [...strangers].find((visitor) => visitor.network === largest)
    if (!pushed) return false
    dropStranger(pushed)
    turnedAway += 1
    pushed.close()
    return true
  }
  return {
    admit(visitor) {
      const { network } = visitor
      const isFull =
        (strangersOf.get(network) ?? 0) >= limits.strangersOfNetwork ||
        failures.count(network) >= limits.failuresOfNetwork ||
        handshakes.add(network) > limits.handshakesOfNetwork
      if (isFull || !makeRoom(network)) {
        turnedAway += 1
        return false
      }
      strangers.add(visitor)
      add(strangersOf, network, 1)
      return true
    },
    seat(visitor) {
      dropStranger(visitor)
      const isFull =
        seated >= limits.connections ||
        (guests.get(visitor.network) ?? 0) >= limits.connectionsOfNetwork
      if (isFull) return false
      visitor.isSignedIn = true
      seated += 1
      add(guests, visitor.network, 1)
      return true
    },
    noteFailure: (network) => void failures.add(network),
    leave(visitor) {
      dropStranger(visitor)
      if (!visitor.isSignedIn) return
      visitor.isSignedIn = false
      seated -= 1
      add(guests, visitor.network, -1)
    },
    sweep() {
      const before = now() - limits.signInWithinMs
      for (const visitor of strangers) {
        // They stand in the order in which they came.
        if (visitor.since > before) break
        dropStranger(visitor)
        visitor.close()
      }
    },
    turnedAway: () => turnedAway,
    size: () => seated + strangers.size,
  }
}

function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}

/** Counts within windows of a fixed length, all of which begin anew together. */
function createCounts(windowMs: number, now: () => number) {
  const counts = new Map<string, number>()
  let endsAt = now() + windowMs
  const renew = () => {
    if (now() < endsAt && counts.size < MAX_NETWORKS) return
    counts.clear()
    endsAt = now() + windowMs
  }
  return {
    add(name: string): number {
      renew()
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return count
    },
    count(name: string): number {
      renew()
      return counts.get(name) ?? 0
    },
  }
}
