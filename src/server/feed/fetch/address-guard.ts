import { lookup as lookupName } from 'node:dns/promises'
import { once } from 'node:events'
import { type Socket, connect as connectTcp, isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { connect as connectTls } from 'node:tls'

import { FeedError } from '../feed-error'
import { type FetchAllow, addressRefused, isAddressAllowed, portOf } from './address-rules'
import { describeConnectFailure } from './connect-failure'
import { startDeadline, waitUnlessAborted } from './deadline'

/** Every address of a name. */
export type Lookup = (hostname: string) => Promise<{ address: string }[]>

export interface GuardOptions {
  allow: FetchAllow
  lookup?: Lookup | undefined
  /** Certificates to trust instead of the system's. */
  ca?: string | undefined
  /** For the name and the connection together. */
  connectTimeoutMs: number
  /** Ends attempts that are under way. */
  signal: AbortSignal
}

/** More than this leaves too little time for each. */
const MAX_TRIES = 3

/** Several TLS records at a time: one by one, a file takes a third longer. */
const READ_AHEAD_BYTES = 64 * 1024

const systemLookup: Lookup = (hostname) => lookupName(hostname, { all: true, verbatim: true })

/** Where a connection leads, without brackets around an IPv6 address. */
interface Target {
  hostname: string
  port: number
  isSecure: boolean
  ca: string | undefined
}

/**
 * Connects for a URL and judges addresses where that happens: literals as well as looked-up names
 * (no lookup hook is called for literals), every answer of a name, and the socket goes to the very
 * address that was judged, so a second answer of the name changes nothing.
 * @throws FeedError, or the signal's reason
 */
export async function connectGuarded(
  url: URL,
  { allow, lookup = systemLookup, ca, connectTimeoutMs, signal }: GuardOptions,
): Promise<Socket> {
  const endsAt = performance.now() + connectTimeoutMs
  const deadline = startDeadline(connectTimeoutMs, connectTimeout, signal)
  const target: Target = {
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: portOf(url),
    isSecure: url.protocol === 'https:',
    ca,
  }
  try {
    const { hostname: host, port } = target
    const addresses = await waitUnlessAborted(findAddresses(host, lookup), deadline.signal)
    for (const address of addresses) {
      if (!isAddressAllowed(allow, { host, port, address })) throw hostRefused(host)
    }
    return await connectToAny(target, addresses, { signal: deadline.signal, endsAt })
  } finally {
    deadline.clear()
  }
}

async function findAddresses(hostname: string, lookup: Lookup): Promise<string[]> {
  if (isIP(hostname) !== 0) return [hostname]
  const answers = await lookup(hostname).catch((error: unknown) => {
    throw nameRefused(hostname, error)
  })
  if (answers.length === 0) throw nameRefused(hostname)
  return answers.map(({ address }) => address)
}

/** Who asks for an address knows it already, and is told that it is private. */
function hostRefused(host: string): FeedError {
  return isIP(host) === 0 ? nameRefused(host) : addressRefused()
}

/**
 * The same code and text for a name that does not exist and for one that stands for a private address:
 * else anybody could find out which names our own network has. When they come is not made the same.
 */
function nameRefused(hostname: string, cause?: unknown): FeedError {
  const message = `The name ${hostname} could not be found, or cannot be reached from here. Check how it is spelled.`
  return new FeedError('name-not-found', message, { cause })
}

/**
 * Tries the addresses in turn, each for its share of the time that is left: a name whose IPv6
 * leads nowhere would else never be reached by IPv4.
 */
async function connectToAny(
  target: Target,
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
async function openSocket(
  { hostname, port, isSecure, ca }: Target,
  address: string,
  signal: AbortSignal,
): Promise<Socket> {
  const to = { host: address, port, autoSelectFamily: false, highWaterMark: READ_AHEAD_BYTES }
  // No name is sent for a literal; the certificate must then be for the address.
  const servername = isIP(hostname) === 0 ? hostname : ''
  const socket = isSecure
    ? connectTls({ ...to, servername, ALPNProtocols: ['http/1.1'], ...(ca && { ca }) })
    : connectTcp(to)
  // A socket that was given up may still fail.
  socket.on('error', ignore)
  try {
    await waitUnlessAborted(once(socket, isSecure ? 'secureConnect' : 'connect'), signal)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function connectTimeout(): FeedError {
  return new FeedError(
    'connect-timeout',
    'The server did not accept a connection in time. A firewall may be blocking it.',
  )
}

function ignore(): void {}
