import { lookup as lookupName } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
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
export function createGuardedConnector(options: GuardOptions): buildConnector.connector {
  const connect = (target: buildConnector.Options) => connectGuarded(target, options)
  return callbackify(connect) as buildConnector.connector
}

async function connectGuarded(
  target: buildConnector.Options,
  { allow, lookup = systemLookup, connectTimeoutMs, signal }: GuardOptions,
): Promise<Socket> {
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
    return await connectToAny(target, addresses, deadline.signal)
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

async function connectToAny(
  target: buildConnector.Options,
  addresses: string[],
  signal: AbortSignal,
): Promise<Socket> {
  let failure: unknown
  for (const address of addresses) {
    try {
      return await openSocket(target, address, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
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
