import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'

import { Client, type SFTPWrapper } from 'ssh2'

import type { HostKeyType } from '../../../../shared/host-key'
import { codeOf } from '../../../process/error-code'
import { FileError } from '../../file-error'
import { describePublicKey } from '../../key-fingerprint'
import { connectGuarded, type Endpoint } from '../address-guard'
import { type FetchContext, type FetchResources, toGuard, waitForAnswer } from '../fetch-context'
import type { FileServerAccess, FileServerLogin } from '../file-server'
import { otherKinds, requireConfirmed, toAttempts } from './host-keys'
import { toAlgorithms } from './ssh-algorithms'

/**
 * Signs in to a server whose key is confirmed; nothing is said to any other. The connection ends when the resources
 * are released.
 * @throws FileError, or the signal's reason
 */
export async function openSftp(
  endpoint: Endpoint,
  access: FileServerAccess,
  context: FetchContext,
  resources: FetchResources,
): Promise<SFTPWrapper> {
  const failures: unknown[] = []
  for (const types of toAttempts(access.hostKeys)) {
    try {
      return await waitForAnswer(context, resources, async (signal) => {
        const socket = await connectGuarded(endpoint, toGuard(context, signal))
        // Its messages are short, and each is answered before the next is sent.
        socket.setNoDelay(true)
        return openOver(addAbortSignal(resources.signal, socket), access, types)
      })
    } catch (error) {
      resources.signal.throwIfAborted()
      if (!isOtherKey(error)) throw error
      failures.push(error)
    }
  }
  // What a server showed says more than that it has no key of another kind.
  throw failures.find((error) => (error as FileError).hostKey !== undefined) ?? failures[0]
}

/** Whether a server may have a known key of another kind. */
const isOtherKey = (error: unknown) =>
  error instanceof FileError && error.code === 'host-key-changed'

/** What has become known of a connection that fails. */
interface Handshake {
  /** Why its key is not accepted. */
  refusal?: unknown
  /** The methods of key exchange that the server offers. */
  kex: string
  isSignedIn: boolean
}

/** What a server asks; answers are kept until it takes them. */
const QUESTION =
  /^Inbound: (?:GLOBAL_REQUEST |CHANNEL_REQUEST |CHANNEL_OPEN |Received USERAUTH_INFO_REQUEST)/
/** More than one each second, as long as a file may take. */
const MAX_QUESTIONS = 5_000
/** With all of its keys, which are kept until it has proved that it has them. */
const KEYS_SHOWN = /^Inbound: GLOBAL_REQUEST \(hostkeys-/
const MAX_KEYS_SHOWN = 5

const endless = () => new FileError('bad-answer', 'The server asks without end.')

function openOver(
  socket: Socket,
  access: FileServerAccess,
  types: readonly HostKeyType[],
): Promise<SFTPWrapper> {
  const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>()
  const { login } = access
  if (!login) throw new FileError('bad-address', 'An SFTP server needs a user name.')
  const client = new Client()
  const handshake: Handshake = { kex: '', isSignedIn: false }
  let questions = 0
  let keysShown = 0
  const fail = (error: unknown) => {
    reject(handshake.refusal ?? describeSshFailure(error, handshake, access))
    socket.destroy()
  }
  client
    // Errors of a connection in use are told to who waits for an answer; without a listener they would be thrown.
    .on('error', fail)
    .on('close', () => fail(new Error('The connection was closed')))
    .on('keyboard-interactive', (_name, _text, _language, prompts, answer) => {
      const isPassword = prompts.length === 1 && prompts[0]?.echo !== true
      answer(isPassword && login.password !== undefined ? [login.password] : [])
    })
    .on('ready', () => {
      handshake.isSignedIn = true
      client.sftp((error, sftp) => {
        if (error) return fail(error)
        sftp.on('error', fail)
        resolve(sftp)
      })
    })
  try {
    client.connect({
      sock: socket,
      ...toSignIn(login),
      // Whoever waits has a deadline of his own.
      readyTimeout: 0,
      algorithms: toAlgorithms(types, access.allowsOld),
      hostVerifier(blob: Buffer) {
        try {
          const shown = describePublicKey(blob)
          if (!shown)
            throw new FileError(
              'ssh',
              'The key that the server shows is of a kind that is not accepted.',
            )
          requireConfirmed(shown, access.hostKeys)
          return true
        } catch (error) {
          handshake.refusal = error
          return false
        }
      },
      debug(line) {
        handshake.kex =
          /^Handshake: \(remote\) KEX method: (.{0,2000})/.exec(line)?.[1] ?? handshake.kex
        if (QUESTION.test(line) && ++questions > MAX_QUESTIONS) fail(endless())
        if (KEYS_SHOWN.test(line) && ++keysShown > MAX_KEYS_SHOWN) fail(endless())
      },
    })
  } catch (error) {
    fail(error)
  }
  return promise
}

function toSignIn({ username, password, privateKey }: FileServerLogin) {
  return privateKey === undefined
    ? {
        username,
        password: password ?? '',
        tryKeyboard: true,
        authHandler: ['password' as const, 'keyboard-interactive' as const],
      }
    : { username, privateKey, authHandler: ['publickey' as const] }
}

const POST_QUANTUM = /mlkem|sntrup/

function describeSshFailure(
  error: unknown,
  { kex, isSignedIn }: Handshake,
  { login, allowsOld, hostKeys }: FileServerAccess,
): FileError {
  if (error instanceof FileError) return error
  const cause = { cause: error }
  const { message, level } = error as Error & { level?: string }
  if (level === 'client-authentication') {
    const what =
      login?.privateKey === undefined
        ? 'this user name and password'
        : 'this user name and private key'
    return new FileError('sign-in-refused', `The server does not accept ${what}.`, cause)
  }
  if (level === 'handshake' && message.includes('no matching')) {
    const offered = kex.split(',').filter((name) => !/^(?:ext-info|kex-strict)/.test(name))
    if (message.includes('key exchange') && offered.every((name) => POST_QUANTUM.test(name))) {
      const why =
        'The server accepts only post-quantum key exchange, which cannot be spoken from here yet. Ask its operator to allow curve25519-sha256 too.'
      return new FileError('ssh', why, cause)
    }
    if (message.includes('host key') && hostKeys.length > 0) return otherKinds(hostKeys, cause)
    const advice = allowsOld
      ? 'Ask its operator to update it.'
      : 'Ask its operator to update it, or allow old methods for this connection.'
    const what = /no matching ([\w \->]{1,60})/.exec(message)?.[1] ?? 'method'
    return new FileError('ssh', `The server knows no ${what} that is safe. ${advice}`, cause)
  }
  if (message.includes('privateKey')) {
    return new FileError(
      'bad-address',
      'The private key of this connection cannot be read. Enter it again.',
      cause,
    )
  }
  if (isSignedIn) {
    return new FileError(
      'bad-answer',
      'The server lets this user sign in, but offers no SFTP to it.',
      cause,
    )
  }
  if (level === 'protocol' || level === 'handshake') {
    return new FileError(
      'bad-answer',
      'The server did not respond with SSH. Check the port of the address.',
      cause,
    )
  }
  const text =
    codeOf(error) === ''
      ? 'The server closed the connection before anybody had signed in.'
      : 'The connection to the server was lost.'
  return new FileError('connection-lost', text, cause)
}
