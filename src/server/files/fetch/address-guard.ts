import { lookup as lookupName } from 'node:dns/promises'
import { once } from 'node:events'
import { type Socket, connect as connectTcp, isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type ConnectionOptions, connect as connectTls, DEFAULT_CIPHERS } from 'node:tls'

import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import { FileError } from '../file-error'
import { type FetchAllow, addressRefused, classifyAddress, isAddressAllowed } from './address-rules'
import { describeConnectFailure } from './connect-failure'
import { type EgressProxy, openTunnel } from './egress-proxy'

/** Resolves a name to all of its addresses. */
export type Lookup = (hostname: string) => Promise<{ address: string }[]>

export interface GuardOptions {
  allow: FetchAllow
  lookup?: Lookup | undefined
  /** Certificates to trust instead of Node's default ones, in PEM. */
  ca?: string | undefined
  /** Through which public addresses are reached; those of our own networks are reached without it. */
  proxy?: EgressProxy | undefined
  /** For the name lookup and the connection together. */
  connectTimeoutMs: number
  /** Aborts the lookup and the connection attempts. */
  signal: AbortSignal
}

/** With more addresses, too little time would be left for each. */
const MAX_TRIES = 3

/** Where names of the machine itself lead: only if both are allowed is such a name. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Many reads of the socket are passed on as one: each passes through several steps of work. */
export const READ_AHEAD_BYTES = 512 * 1024

const systemLookup: Lookup = (hostname) => lookupName(hostname, { all: true, verbatim: true })

/** Where to connect; IPv6 addresses have no brackets here. */
export interface Endpoint {
  hostname: string
  port: number
  /** Undefined: without TLS. */
  tls?: TlsChoice | undefined
}

export interface TlsChoice {
  /** Which protocols are spoken over it; none are named if there are none. */
  protocols?: string[]
  /** Whether TLS 1.0 and 1.1 are accepted too. */
  allowsOld?: boolean
}

/** What a tunnel leads to, and until when TLS may take to begin there. */
type TunnelEnd = { address: string; signal: AbortSignal }

/** An endpoint, the certificates to trust there, and the proxy on the way. */
type Target = Endpoint & { ca: string | undefined; proxy: EgressProxy | undefined }

/** Where connections lead that go through a proxy. */
const tunnels = new WeakMap<Socket, string>()

/** The address of the server at the other end of a connection. */
export const addressOf = (socket: Socket): string =>
  tunnels.get(socket) ?? socket.remoteAddress ?? ''

/**
 * Connects to an endpoint. Checks literal addresses as well as every address that a name
 * resolves to, and connects to exactly the address it has checked, so that a name which resolves
 * differently a second time (DNS rebinding) cannot get past the check.
 * @throws FileError, or the signal's reason
 */
export async function connectGuarded(
  endpoint: Endpoint,
  { allow, lookup = systemLookup, ca, proxy, connectTimeoutMs, signal }: GuardOptions,
): Promise<Socket> {
  const endsAt = performance.now() + connectTimeoutMs
  const deadline = startDeadline(connectTimeoutMs, connectTimeout, signal)
  const target: Target = { ...endpoint, ca, proxy }
  try {
    const search = findAddresses(endpoint, { allow, lookup })
    const addresses = await waitUnlessAborted(search, deadline.signal)
    return await connectToAny(target, addresses, { signal: deadline.signal, endsAt })
  } finally {
    deadline.clear()
  }
}

/** @throws FileError when a host has no address, or one that may not be reached */
async function findAddresses(
  { hostname, port }: Endpoint,
  { allow, lookup }: { allow: FetchAllow; lookup: Lookup },
): Promise<string[]> {
  const isAllowed = (address: string) => isAddressAllowed(allow, { host: hostname, port, address })
  // Only of a literal address or `localhost` may the error say that it is refused: it reveals nothing new.
  const isOpenlyRefused =
    isIP(hostname) !== 0 || (isLocalhost(hostname) && !LOOPBACK.every(isAllowed))
  const refuse = (cause?: unknown) =>
    isOpenlyRefused ? addressRefused() : nameRefused(hostname, cause)
  const addresses = await resolveHost(hostname, lookup).catch((error: unknown) => {
    throw refuse(error)
  })
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw refuse()
  return addresses
}

async function resolveHost(hostname: string, lookup: Lookup): Promise<string[]> {
  if (isIP(hostname) !== 0) return [hostname]
  return (await lookup(hostname)).map(({ address }) => address)
}

/** These names are always of the machine itself (RFC 6761), whether they can be resolved or not. */
function isLocalhost(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}

/**
 * The same code and text for a name that does not exist and for one that resolves to a private
 * address: otherwise anybody could probe which names exist in our own network. The response times of
 * the two cases may still differ.
 */
function nameRefused(hostname: string, cause?: unknown): FileError {
  const message = `The name ${hostname} could not be found, or cannot be reached from here. Check how it is spelled.`
  return new FileError('name-not-found', message, { cause })
}

/**
 * Tries the addresses in turn, IPv4 first, each for its share of the remaining time: an address that
 * does not respond must not use up the time of the others.
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

/** How TLS is begun with a host: its certificate must be trusted and valid for its name, or else for its address. */
export function toTlsOptions(
  hostname: string,
  { protocols, allowsOld = false }: TlsChoice,
  ca: string | undefined,
): ConnectionOptions {
  return {
    // No server name is sent for a literal address.
    servername: isIP(hostname) === 0 ? hostname : '',
    ...(protocols && { ALPNProtocols: protocols }),
    ...(ca && { ca }),
    ...(allowsOld
      ? { minVersion: 'TLSv1' as const, ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` }
      : { minVersion: 'TLSv1.2' as const }),
  }
}

/** Connects to an address; the certificate is checked against the name of the host. */
async function openSocket(
  { hostname, port, tls, ca, proxy }: Target,
  address: string,
  signal: AbortSignal,
): Promise<Socket> {
  if (proxy && classifyAddress(address) === 'public') {
    const tunnel = await openTunnel(
      proxy,
      { address, port },
      { signal, ca, highWaterMark: READ_AHEAD_BYTES },
    )
    return secureTunnel(tunnel, { hostname, tls, ca, address, signal })
  }
  const to = { host: address, port, autoSelectFamily: false, highWaterMark: READ_AHEAD_BYTES }
  const socket = tls ? connectTls({ ...to, ...toTlsOptions(hostname, tls, ca) }) : connectTcp(to)
  // An abandoned socket may still emit an error, which would otherwise be thrown.
  socket.on('error', ignore)
  try {
    await waitUnlessAborted(once(socket, tls ? 'secureConnect' : 'connect'), signal)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Begins TLS with the server at the other end of a tunnel, if it is to be. */
async function secureTunnel(
  tunnel: Socket,
  { hostname, tls, ca, address, signal }: Omit<Target, 'port' | 'proxy'> & TunnelEnd,
): Promise<Socket> {
  if (!tls) {
    tunnels.set(tunnel, address)
    return tunnel
  }
  const options = { host: address, highWaterMark: READ_AHEAD_BYTES }
  const socket = connectTls({ socket: tunnel, ...options, ...toTlsOptions(hostname, tls, ca) })
  socket.on('error', ignore)
  tunnels.set(socket, address)
  try {
    await waitUnlessAborted(once(socket, 'secureConnect'), signal)
    return socket
  } catch (error) {
    socket.destroy()
    tunnel.destroy()
    throw error
  }
}

function connectTimeout(): FileError {
  return new FileError(
    'connect-timeout',
    'The server did not accept a connection in time. A firewall may be blocking it.',
  )
}

function ignore(): void {}
