import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { type Socket, connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { decodePercent } from '../../../shared/percent-encoding'
import { waitUnlessAborted } from '../../concurrency/deadline'
import { FileError } from '../file-error'

/** The proxy of a house through which its servers reach others. */
export interface EgressProxy {
  /** A name or an address, without brackets. */
  host: string
  port: number
  usesTls: boolean
  /** The header by which we sign in to it. */
  authorization?: string | undefined
}

interface TunnelOptions {
  signal: AbortSignal
  highWaterMark: number
  /** Certificates to trust instead of Node's default ones, in PEM. */
  ca: string | undefined
}

const MAX_HEADER_BYTES = 16 * 1024

/**
 * Reads the value of `FETCH_PROXY`, `http://user:password@proxy.example.com:3128`; undefined for one that is no address
 * of a proxy.
 */
export function parseEgressProxy(text: string): EgressProxy | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const usesTls = protocol === 'https:'
  if (!usesTls && protocol !== 'http:') return undefined
  if (pathname !== '/' || search !== '' || hash !== '') return undefined
  const login = decodePercent(`${username}:${password}`)
  if (login === undefined) return undefined
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (usesTls ? 443 : 80) : Number(port),
    usesTls,
    ...(login !== ':' && {
      authorization: `Basic ${Buffer.from(login, 'utf8').toString('base64')}`,
    }),
  }
}

/**
 * Opens a connection to an address through the proxy (CONNECT). It is asked for the address, not for a name, so that it
 * leads to what was checked.
 * @throws FileError `connect-failed` with the proxy's answer, or the signal's reason
 */
export async function openTunnel(
  proxy: EgressProxy,
  { address, port }: { address: string; port: number },
  { signal, highWaterMark, ca }: TunnelOptions,
): Promise<Socket> {
  const { host, usesTls } = proxy
  const to = { host, port: proxy.port, highWaterMark }
  const servername = isIP(host) === 0 ? host : ''
  const socket = usesTls
    ? connectTls({ ...to, ...(ca && { ca }), servername, ALPNProtocols: ['http/1.1'] })
    : connectTcp(to)
  // An abandoned socket may still emit an error, which would otherwise be thrown.
  socket.on('error', () => undefined)
  try {
    await waitUnlessAborted(once(socket, usesTls ? 'secureConnect' : 'connect'), signal)
    const asked = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
    const { status, head } = await waitUnlessAborted(ask(proxy, asked, socket), signal)
    if (status < 200 || status >= 300) throw refused(status, port)
    // What a server says first may have come with the answer.
    if (head.length > 0) socket.unshift(head)
    return socket
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error instanceof FileError ? error : unusable(error)
  }
}

function ask({ authorization }: EgressProxy, asked: string, socket: Socket) {
  return new Promise<{ status: number; head: Buffer }>((resolve, reject) => {
    requestHttp({
      method: 'CONNECT',
      path: asked,
      headers: { host: asked, ...(authorization && { 'proxy-authorization': authorization }) },
      createConnection: () => socket,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
      .on('error', reject)
      .on('connect', ({ statusCode = 0 }: IncomingMessage, _socket: Socket, head: Buffer) =>
        resolve({ status: statusCode, head }),
      )
      .end()
  })
}

function refused(status: number, port: number): FileError {
  const why =
    status === 407
      ? 'The proxy of this installation, through which servers are reached, does not accept its sign-in (407). Its operator must correct FETCH_PROXY.'
      : status === 403 || status === 405
        ? `The proxy of this installation, through which servers are reached, does not admit port ${port} of this server (${status}). Its operator must allow it.`
        : `The server could not be reached through the proxy of this installation (${status}).`
  return new FileError('connect-failed', why)
}

function unusable(cause: unknown): FileError {
  const message =
    'The proxy of this installation, through which servers are reached, does not answer as one. Its operator must look at FETCH_PROXY.'
  return new FileError('connect-failed', message, { cause })
}
