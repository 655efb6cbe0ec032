import { lookup as lookupName } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { callbackify } from 'node:util'

import { Agent, buildConnector } from 'undici'

import { type FetchAllow, addressRefused, isAddressOpen, portOf } from './address-rules'
import { describeConnectFailure } from './connect-failure'
import { startDeadline, waitUnlessAborted } from './deadline'
import { FeedError } from './feed-error'

/** Every address of a name. */
export type Lookup = (hostname: string) => Promise<{ address: string }[]>

export interface GuardOptions {
  allow: FetchAllow
  lookup?: Lookup | undefined
  /** For the name and the connection together. */
  connectTimeoutMs: number
  /** Ends attempts that are under way. */
  signal: AbortSignal
}

/** More than this leaves too little time for each. */
const MAX_TRIES = 3

const systemLookup: Lookup = (hostname) => lookupName(hostname, { all: true, verbatim: true })

/**
 * An agent that judges addresses where the connection is made: literals as well as looked-up
 * names (undici calls no lookup hook for literals), every answer of a name, and the socket goes to
 * the very address that was judged, so a second answer of the name changes nothing.
 * One connection carries one request: nothing that was judged long ago is used again.
 */
export function createGuardedAgent(options: GuardOptions): Agent {
  return new Agent({
    connect: createGuardedConnector(options),
    pipelining: 0,
    // Our own clocks stop while the consumer is slow; undici's would not.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** The connector of {@link createGuardedAgent}, for undici. */
function createGuardedConnector(options: GuardOptions): buildConnector.connector {
  const connect = callbackify((target: buildConnector.Options) => connectGuarded(target, options))
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error) callback(error, null)
      else callback(null, socket)
    })
}

async function connectGuarded(
  target: buildConnector.Options,
  { allow, lookup = systemLookup, connectTimeoutMs, signal }: GuardOptions,
): Promise<Socket> {
  const endsAt = performance.now() + connectTimeoutMs
  const deadline = startDeadline(connectTimeoutMs, connectTimeout, signal)
  try {
    const port = portOf(target)
    const addresses = await waitUnlessAborted(
      findAddresses(target.hostname, lookup),
      deadline.signal,
    )
    for (const address of addresses) {
      if (!isAddressOpen(allow, { host: target.hostname, port, address })) throw addressRefused()
    }
    return await connectToAny(target, addresses, { signal: deadline.signal, endsAt })
  } finally {
    deadline.clear()
  }
}

async function findAddresses(hostname: string, lookup: Lookup): Promise<string[]> {
  if (isIP(hostname) !== 0) return [hostname]
  const notFound = (cause?: unknown) =>
    new FeedError('name-not-found', `The name ${hostname} could not be found.`, { cause })
  const answers = await lookup(hostname).catch((error: unknown) => {
    throw notFound(error)
  })
  if (answers.length === 0) throw notFound()
  return answers.map(({ address }) => address)
}

/**
 * Tries the addresses in turn, each for its share of the time that is left: a name whose IPv6
 * leads nowhere would else never be reached by IPv4.
 */
async function connectToAny(
  target: buildConnector.Options,
  addresses: string[],
  { signal, endsAt }: { signal: AbortSignal; endsAt: number },
): Promise<Socket> {
  let failure: unknown
  const tries = addresses.toSorted((a, b) => isIP(a) - isIP(b)).slice(0, MAX_TRIES)
  for (const [index, address] of tries.entries()) {
    const share = (endsAt - performance.now()) / (tries.length - index)
    const attempt = startDeadline(share, connectTimeout, signal)
    try {
      return await openSocket(target, address, attempt.signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    } finally {
      attempt.clear()
    }
  }
  throw describeConnectFailure(failure)
}

/** Certificates are checked against the name of the URL, although the socket goes to an address. */
function openSocket(
  target: buildConnector.Options,
  address: string,
  signal: AbortSignal,
): Promise<Socket> {
  const connect = buildConnector({ timeout: 0, allowH2: false, maxCachedSessions: 0 })
  const servername = isIP(target.hostname) === 0 ? target.hostname : undefined
  return new Promise((resolve, reject) => {
    // undici's connector returns its socket at once, which its types do not say.
    const pending = connect(
      { ...target, hostname: address, ...(servername === undefined ? {} : { servername }) },
      (error, socket) => {
        signal.removeEventListener('abort', abort)
        if (error) reject(error)
        else resolve(socket)
      },
    ) as unknown as Socket
    const abort = () => {
      pending.destroy()
      reject(signal.reason as Error)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

function connectTimeout(): FeedError {
  return new FeedError('timeout', 'The server did not accept a connection in time.')
}
