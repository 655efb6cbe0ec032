import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import type { Lookup } from '../fetch/address-guard'
import { parseFetchAllow } from '../fetch/address-rules'
import type { EgressProxy } from '../fetch/egress-proxy'
import type { HostGate } from '../fetch/host-gate'
import { acquireResources, showMinutes } from '../fetch/resources'
import { openUntilClosed } from '../fetch/until-closed'
import { FileError } from '../file-error'
import { tellOfSending } from './failures'
import { sendOverFtp } from './ftp/ftp-send'
import { sendOverHttp } from './http/http-send'
import { sendToBucket } from './http/s3-send'
import { checked } from './pieces'
import type { SendContext, SendTimeouts, SendToScheme } from './send-context'
import type { SendRequest } from './send-request'
import type { SentBody } from './sending'
import { sendOverSftp } from './sftp/sftp-send'

/** Sends files over the network, from whichever process has it. */
export interface NetworkSender {
  /** As `FileSender.send`. */
  send(
    request: SendRequest & { hosts?: HostGate | undefined; signal: AbortSignal },
    body: SentBody,
  ): Promise<{ text: string }>
  /** Aborts all that is being sent. */
  close(): Promise<void>
}

const TIMEOUTS: SendTimeouts = {
  connectMs: 5_000,
  headersMs: 15_000,
  idleMs: 15_000,
  slowWindowMs: MINUTE_MS,
  minBytesPerSecond: 1_024,
  totalMs: 30 * MINUTE_MS,
  wholeBytesPerSecond: 256 * 1_024,
  continueMs: SECOND_MS,
  acceptMs: 2 * MINUTE_MS,
  cleanUpMs: 2 * SECOND_MS,
  youngMs: 0,
  settleMs: 0,
  settleWithinMs: 0,
}

export interface NetworkSenderOptions {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  /** Replaces the system's name lookup. */
  lookup?: Lookup
  /** Certificates to trust instead of Node's default ones, in PEM. */
  ca?: string
  /** Through which public addresses are reached. */
  proxy?: EgressProxy | undefined
  timeouts?: Partial<SendTimeouts>
  /** Unix milliseconds, by which dates in `Retry-After` are told. */
  now: () => number
}

const SCHEMES: Record<string, SendToScheme> = {
  http: sendOverHttp,
  https: sendOverHttp,
  s3: sendToBucket,
  sftp: sendOverSftp,
  ftp: sendOverFtp,
  ftps: sendOverFtp,
}

/**
 * Sends files, each in the way of its address; every connection is checked, and waits for its host's gate.
 * @throws Error when an entry of `allow` is invalid
 */
export function createNetworkSender(options: NetworkSenderOptions): NetworkSender {
  const { signal: closing, track, close } = openUntilClosed()
  const context: SendContext = {
    allow: parseFetchAllow(options.allow),
    lookup: options.lookup,
    ca: options.ca,
    proxy: options.proxy,
    maxBytes: Infinity,
    timeouts: { ...TIMEOUTS, ...options.timeouts },
    now: options.now,
  }

  const send: NetworkSender['send'] = async ({ hosts, signal, ...request }, body) => {
    signal.throwIfAborted()
    const { totalMs: fixedMs, wholeBytesPerSecond } = context.timeouts
    const totalMs = fixedMs + (request.sizeBytes / wholeBytesPerSecond) * 1_000
    const resources = acquireResources(
      { hosts, signal },
      { totalMs, timeout: () => tookTooLong(totalMs), closing },
    )
    let ofBody: { error: unknown } | undefined
    const noted = () =>
      checked(body(), request.sizeBytes, (error) => (ofBody = { error }), resources.signal)
    try {
      return await findSend(request.address)(request, noted, context, resources)
    } catch (error) {
      if (resources.signal.aborted) throw resources.signal.reason
      throw ofBody ? ofBody.error : tellOfSending(error)
    } finally {
      resources.release()
    }
  }
  return { send: (request, body) => track(send(request, body)), close }
}

function findSend(address: string): SendToScheme {
  const scheme = /^[a-z\d]{1,10}(?=:)/i.exec(address)?.[0].toLowerCase() ?? ''
  const found = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
  if (found) return found
  throw new FileError('bad-address', 'Nothing can be sent to an address of this kind.')
}

function tookTooLong(totalMs: number): FileError {
  const time = showMinutes(totalMs)
  return new FileError('took-too-long', `The file could not be sent whole within ${time}.`)
}
