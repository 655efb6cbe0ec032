import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'

import { Client, type FTPResponse } from 'basic-ftp'

import type { FilePlace } from '../../../../shared/file-server-address'
import { waitUnlessAborted } from '../../../concurrency/deadline'
import { FileError } from '../../file-error'
import { addressOf, connectGuarded, READ_AHEAD_BYTES, toTlsOptions } from '../address-guard'
import { withoutBrackets } from '../address-rules'
import { type FetchContext, type FetchResources, toGuard, waitForAnswer } from '../fetch-context'
import type { FileServerAccess } from '../file-server'
import { describeFtpFailure, requireAvailable, unavailable } from './ftp-failures'
import { passWholeLines } from './reply-lines'

/** A connection to a server of FTP over which commands are sent. */
export interface FtpSession {
  client: Client
  /** The address of the server. */
  address: string
  /** Whether methods are accepted that are not safe any more. */
  allowsOld: boolean
  /** Sends a command and waits for its answer, whichever it is. */
  say: (command: string) => Promise<FTPResponse>
  /** Begins TLS over a socket, as the connection itself has; without TLS it stays as it is. */
  secure: (socket: Socket) => Socket
}

/** Of a folder: enough for 100,000 short names. Names and times take ten times as much once they are read. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024

/** So often that nothing in between forgets a connection over which nothing is said while a file is read. */
const KEEP_ALIVE_MS = 30_000

/**
 * Connects to a server, with TLS unless it is to be without. The connection ends when the resources are released.
 * @throws FileError, or the signal's reason
 */
export async function openFtp(
  { protocol, hostname: host, port }: FilePlace,
  { usesTls, allowsOld }: FileServerAccess,
  context: FetchContext,
  resources: FetchResources,
): Promise<FtpSession> {
  const hostname = withoutBrackets(host)
  const isImplicit = protocol === 'ftps:'
  const endpoint = { hostname, port, ...(isImplicit && { tls: { allowsOld } }) }
  const fail = (error: unknown) => {
    throw describeFtpFailure(error, allowsOld)
  }
  const { signal } = resources
  const socket = await connectGuarded(endpoint, toGuard(context, signal)).catch(fail)
  // Neither its own time limits, which know nothing of ours, nor its ways to connect are used.
  const client = new Client(0, {
    allowSeparateTransferHost: false,
    maxListingBytes: MAX_LISTING_BYTES,
  })
  let begin = () => {}
  const take = (taken: Socket) => {
    if (taken instanceof TLSSocket) takeAsCut(taken)
    client.ftp.socket = taken
    taken.setKeepAlive(true, KEEP_ALIVE_MS)
    // Its messages are short, and each is answered before the next is sent.
    taken.setNoDelay(true)
    begin = passWholeLines(client.ftp)
  }
  const listen = (command: string) => {
    begin()
    return waitForAnswer(context, resources, () => client.sendIgnoringError(command)).catch(fail)
  }
  const tlsOptions = {
    ...toTlsOptions(hostname, { allowsOld }, context.ca),
    // By which the certificate is checked, and sessions are told apart, where there is no server name.
    host: hostname,
    highWaterMark: READ_AHEAD_BYTES,
  }
  const session: FtpSession = {
    client,
    address: addressOf(socket),
    allowsOld,
    async say(command) {
      const answer = await listen(command)
      requireAvailable(answer)
      return answer
    },
    secure(raw) {
      if (!client.ftp.hasTLS) return raw
      const resumed = client.ftp.tlsSessionStore ?? sessionOf(client.ftp.socket)
      const secured = connectTls({
        ...tlsOptions,
        socket: raw,
        ...(resumed && { session: resumed }),
      })
      secured.once('secureConnect', () => takeAsCut(secured))
      // A server may let each be resumed only once.
      return secured.on('session', (next) => (client.ftp.tlsSessionStore = next))
    },
  }
  take(socket)
  const close = () => client.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  // An empty command: the server speaks first.
  if (!isDone(await listen(''))) throw unavailable()
  if (!isImplicit && usesTls) {
    if (!isDone(await session.say('AUTH TLS'))) throw noTls()
    const secured = connectTls({ ...tlsOptions, socket })
    await waitForAnswer(context, resources, (limit) => untilSecure(secured, limit)).catch(fail)
    take(secured)
    // Whoever takes a socket over drops the listeners of the one below.
    socket.on('error', () => undefined)
  }
  return session
}

export const isDone = ({ code }: FTPResponse): boolean => code >= 200 && code < 300

async function untilSecure(socket: Socket, signal: AbortSignal): Promise<void> {
  // One that was given up may still emit an error, which would otherwise be thrown.
  socket.on('error', () => undefined)
  try {
    await waitUnlessAborted(once(socket, 'secureConnect'), signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/**
 * Whatever breaks a connection on which TLS has begun ends it, and is no failure to begin: a server that crashes may
 * say so in plain text.
 */
function takeAsCut(socket: TLSSocket): void {
  socket.prependOnceListener('error', (error: NodeJS.ErrnoException) => {
    error.code = 'ECONNRESET'
  })
}

/** What a data connection continues. */
const sessionOf = (socket: Socket): Buffer | undefined =>
  socket instanceof TLSSocket ? socket.getSession() : undefined

function noTls(): FileError {
  return new FileError(
    'tls',
    'The server offers no TLS. Ask its operator for it, or switch TLS off for this connection: user name, password and file are then sent without encryption. Neither user name nor password was sent.',
  )
}
