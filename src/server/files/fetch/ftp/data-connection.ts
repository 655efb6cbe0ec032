import { isIPv6, type Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'

import type { FTPResponse } from 'basic-ftp'

import { FileError } from '../../file-error'
import { connectGuarded } from '../address-guard'
import { requireOpenPort } from '../address-rules'
import { type FetchContext, type FetchResources, toGuard } from '../fetch-context'
import type { FtpSession } from './ftp-session'

/** How a server is asked for a port through which the next file goes. */
interface PassiveMode {
  command: 'EPSV' | 'PASV'
  readPort: (answer: FTPResponse) => number | undefined
}

const EXTENDED: PassiveMode = {
  command: 'EPSV',
  readPort({ code, message }) {
    const port = code === 229 ? /\(([!-~])\1\1(\d{1,5})\1\)/.exec(message)?.[2] : undefined
    return port === undefined ? undefined : Number(port)
  },
}

/** The address in its answer is not looked at: the server itself is the only one that is connected to. */
const PASSIVE: PassiveMode = {
  command: 'PASV',
  readPort({ code, message }) {
    const numbers = code === 227 ? /(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})/.exec(message) : null
    return numbers ? Number(numbers[1]) * 256 + Number(numbers[2]) : undefined
  },
}

/**
 * Opens the connection through which the next file goes: to the address of the server itself, whatever it names.
 * @throws FileError, or the signal's reason
 */
export async function openDataConnection(
  session: FtpSession,
  context: FetchContext,
  resources: FetchResources,
): Promise<FTPResponse> {
  const { socket, answer } = await connectData(session, context, resources)
  session.client.ftp.dataSocket = socket
  return answer
}

/** The same, without handing it to the client, which ends all when it is cut, whatever the server says of that. */
export async function connectData(
  { address, say, secure }: FtpSession,
  context: FetchContext,
  resources: FetchResources,
): Promise<{ socket: Socket; answer: FTPResponse }> {
  let failure: unknown
  for (const { command, readPort } of isIPv6(address) ? [EXTENDED] : [EXTENDED, PASSIVE]) {
    const answer = await say(command)
    const port = readPort(answer)
    if (port === undefined) continue
    try {
      const endpoint = { hostname: address, port }
      if (port < 1_024 || port > 65_535) throw refused()
      requireOpenPort(endpoint, [], context.allow)
      const socket = await connectGuarded(endpoint, toGuard(context, resources.signal))
      return { socket: secure(addAbortSignal(resources.signal, socket)), answer }
    } catch (error) {
      resources.signal.throwIfAborted()
      failure = describe(error)
    }
  }
  throw failure ?? noPassiveMode()
}

function describe(error: unknown): unknown {
  if (!(error instanceof FileError)) return error
  if (error.code === 'address-refused') return refused()
  return new FileError(
    error.code,
    'Files go through a second connection to the server, at another port, and that could not be opened. A firewall may be blocking the ports that the server names.',
    { cause: error },
  )
}

function refused(): FileError {
  return new FileError(
    'address-refused',
    'The server names a private address or an unusual port for files. These are not contacted from here.',
  )
}

function noPassiveMode(): FileError {
  return new FileError(
    'bad-answer',
    'The server names no port through which a file could go: it must know passive mode.',
  )
}
