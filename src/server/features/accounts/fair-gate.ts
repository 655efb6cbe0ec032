import { DomainError } from '../../domain/errors'

/** Who waits: the account that the work is for, and the address that it is asked from. */
export type Requester = { account: string; address: string }

type GateLimits = { maxActive: number; maxWaiting: number; maxWaitingPerAccount: number }

type Place = {
  account: string
  address: string
  start(): void
  refuse(error: DomainError): void
}

export type FairGate = <T>(requester: Requester, work: () => Promise<T>) => Promise<T>

/**
 * Lets so much work through at once. What waits takes turns by account and by address, so that many
 * places of one do not keep another waiting. When there is no room, whoever holds most places loses
 * the newest of them.
 */
export function createFairGate({
  maxActive,
  maxWaiting,
  maxWaitingPerAccount,
}: GateLimits): FairGate {
  const line = createLine()
  let active = 0

  function waitForTurn({ account, address }: Requester): Promise<void> {
    return new Promise((resolve, reject) => {
      line.add({ account, address, start: resolve, refuse: reject })
      const ofAccount = line.list().filter((place) => place.account === account)
      if (ofAccount.length > maxWaitingPerAccount) turnAway(ofAccount)
      else if (line.list().length > maxWaiting) turnAway(line.list())
    })
  }

  function turnAway(places: readonly Place[]) {
    const place = findHeaviest(places)
    line.remove(place)
    place.refuse(
      new DomainError('THROTTLED', 'Too many sign-ins at once. Try again in a moment.', {
        retryAfterSeconds: 1,
      }),
    )
  }

  return async function enter(requester, work) {
    if (active < maxActive) active += 1
    else await waitForTurn(requester)
    try {
      return await work()
    } finally {
      const next = line.takeNext()
      if (next) next.start()
      else active -= 1
    }
  }
}

const keysOf = ({ account, address }: Requester) => [`account ${account}`, `address ${address}`]

/** The places that wait, in the order in which they came. */
function createLine() {
  const places: Place[] = []
  /** For each account and address that waits: the turn in which it was served last, or came. */
  const servedIn = new Map<string, number>()
  let turn = 0

  function remove(place: Place) {
    places.splice(places.indexOf(place), 1)
    const waiting = new Set(places.flatMap(keysOf))
    for (const key of keysOf(place)) if (!waiting.has(key)) servedIn.delete(key)
  }

  /** Smallest first; an account that has just been served waits, and so does an address. */
  function rank(place: Place): [latest: number, sum: number] {
    const turns = keysOf(place).map((key) => servedIn.get(key) ?? turn)
    return [Math.max(...turns), turns.reduce((sum, served) => sum + served)]
  }

  return {
    list: (): readonly Place[] => places,
    remove,
    add(place: Place) {
      places.push(place)
      for (const key of keysOf(place)) servedIn.set(key, servedIn.get(key) ?? turn)
    },
    takeNext(): Place | undefined {
      const next = findFirst(places, rank)
      if (!next) return undefined
      turn += 1
      for (const key of keysOf(next)) servedIn.set(key, turn)
      remove(next)
      return next
    },
  }
}

/** The place of the smallest rank; of several, the first that came. */
function findFirst(places: readonly Place[], rank: (place: Place) => [number, number]) {
  let first: { place: Place; rank: [number, number] } | undefined
  for (const place of places) {
    const found = { place, rank: rank(place) }
    if (!first || isSmaller(found.rank, first.rank)) first = found
  }
  return first?.place
}

/** The newest place of the account that holds most, and of its addresses of the one that holds most. */
function findHeaviest(places: readonly Place[]): Place {
  const held = new Map<string, number>()
  for (const key of places.flatMap(keysOf)) held.set(key, (held.get(key) ?? 0) + 1)
  const weigh = (place: Place) => keysOf(place).map((key) => held.get(key) ?? 0)
  return places.reduce((heaviest, place) =>
    isSmaller(weigh(place), weigh(heaviest)) ? heaviest : place,
  )
}

/** Compares the first numbers that differ. */
function isSmaller(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, place) => value !== other[place])
  return index >= 0 && (one[index] ?? 0) < (other[index] ?? 0)
}
