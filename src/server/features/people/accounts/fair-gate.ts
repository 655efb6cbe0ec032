import { DomainError } from '../../../domain/errors'

/** Who asks for work: an account, and the IP address of the request. */
export type Requester = { account: string; address: string }

type GateLimits = { maxActive: number; maxWaiting: number; maxWaitingPerAccount: number }

type Waiter = {
  account: string
  address: string
  start(): void
  refuse(error: DomainError): void
}

export type FairGate = <T>(requester: Requester, work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `maxActive` pieces of work at once and queues the rest. Accounts and addresses take
 * turns, so that many requests of one do not delay another. When the queue is full, the newest
 * request of whoever has the most waiting is refused.
 * @throws DomainError THROTTLED, from the function returned, for a refused request
 */
export function createFairGate({
  maxActive,
  maxWaiting,
  maxWaitingPerAccount,
}: GateLimits): FairGate {
  const queue = createWaitingQueue()
  let active = 0

  function waitForTurn({ account, address }: Requester): Promise<void> {
    return new Promise((resolve, reject) => {
      queue.add({ account, address, start: resolve, refuse: reject })
      const ofAccount = queue.list().filter((waiter) => waiter.account === account)
      if (ofAccount.length > maxWaitingPerAccount) refuseOne(ofAccount)
      else if (queue.list().length > maxWaiting) refuseOne(queue.list())
    })
  }

  function refuseOne(waiters: readonly Waiter[]) {
    const waiter = findHeaviest(waiters)
    queue.remove(waiter)
    waiter.refuse(
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
      const next = queue.takeNext()
      if (next) next.start()
      else active -= 1
    }
  }
}

const keysOf = ({ account, address }: Requester) => [`account ${account}`, `address ${address}`]

/** The waiters, in order of arrival. */
function createWaitingQueue() {
  const waiters: Waiter[] = []
  /** For each waiting account and address: the turn in which it was last served, or arrived. */
  const servedIn = new Map<string, number>()
  let turn = 0

  function remove(waiter: Waiter) {
    waiters.splice(waiters.indexOf(waiter), 1)
    const waiting = new Set(waiters.flatMap(keysOf))
    for (const key of keysOf(waiter)) if (!waiting.has(key)) servedIn.delete(key)
  }

  /** The smallest rank is next: an account or address that was just served ranks last. */
  function rank(waiter: Waiter): [latest: number, sum: number] {
    const turns = keysOf(waiter).map((key) => servedIn.get(key) ?? turn)
    return [Math.max(...turns), turns.reduce((sum, served) => sum + served)]
  }

  return {
    list: (): readonly Waiter[] => waiters,
    remove,
    add(waiter: Waiter) {
      waiters.push(waiter)
      for (const key of keysOf(waiter)) servedIn.set(key, servedIn.get(key) ?? turn)
    },
    takeNext(): Waiter | undefined {
      const next = findFirst(waiters, rank)
      if (!next) return undefined
      turn += 1
      for (const key of keysOf(next)) servedIn.set(key, turn)
      remove(next)
      return next
    },
  }
}

/** The waiter with the smallest rank; among equals, the first to arrive. */
function findFirst(waiters: readonly Waiter[], rank: (waiter: Waiter) => [number, number]) {
  let first: { waiter: Waiter; rank: [number, number] } | undefined
  for (const waiter of waiters) {
    const found = { waiter, rank: rank(waiter) }
    if (!first || isSmaller(found.rank, first.rank)) first = found
  }
  return first?.waiter
}

/**
 * The newest waiter of the account that has the most waiting and, within it, of the address that
 * has the most.
 */
function findHeaviest(waiters: readonly Waiter[]): Waiter {
  const held = new Map<string, number>()
  for (const key of waiters.flatMap(keysOf)) held.set(key, (held.get(key) ?? 0) + 1)
  const weigh = (waiter: Waiter) => keysOf(waiter).map((key) => held.get(key) ?? 0)
  return waiters.reduce((heaviest, waiter) =>
    isSmaller(weigh(waiter), weigh(heaviest)) ? heaviest : waiter,
  )
}

/** Compares lexicographically: the first numbers that differ decide. */
function isSmaller(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, position) => value !== other[position])
  return index >= 0 && (one[index] ?? 0) < (other[index] ?? 0)
}
