import { createServer, type Socket } from 'node:net'

import ssh, { type AuthContext, type Connection, type SFTPWrapper } from 'ssh2'

import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore'
import { toCountedAddress } from '../../domain/networks'
import { codeOf } from '../../process/error-code'
import type { SftpLimits } from '../limits'
import type { Home, Proof } from '../messages'
import { type Parent, Refused } from '../parent'
import { createDoor, type Visitor } from './door'
import { serveSftp } from './session'

/** Of each proof that is looked at, others wait for their turn: from one network, and from all. */
const PROOFS_OF_NETWORK = 2
const SWEEP_MS = SECOND_MS
const KEEP_ALIVE_MS = MINUTE_MS
const METHODS: ('password' | 'publickey')[] = ['publickey', 'password']

/** Programs are told what this is, and no version. */
const IDENT = 'SFTP'

const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
  ],
  serverHostKey: [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes128-ctr',
    'aes256-ctr',
  ],
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  compress: ['none'],
} satisfies ssh.Algorithms

/** Where it listens, and as what. */
type Address = { host: string; port: number; hostKeys: string[] }

export interface SftpServer {
  /** Ends a session, whatever it is doing. */
  end(session: number): void
  /** Accepts no more connections, and ends those that wait for nothing. */
  close(): void
  counts(): { connections: number; turnedAway: number }
}

/** A connection, in as little memory as it can. */
interface Guest extends Visitor {
  socket: Socket
  session: number
  home?: Home
  lastRequestAt: number
  tries: number
  rekeys: number
  channels: number
  served?: { end(): void }
}

/** Serves SFTP for a parent, which decides about everything. */
export function startSftpServer(
  parent: Parent,
  { host, port, hostKeys }: Address,
  { limits, now }: { limits: SftpLimits; now: () => number },
): SftpServer {
  const door = createDoor(limits, now)
  const guests = new Map<number, Guest>()
  /** Those whose client has not said yet what it is, by their address. */
  const arriving = new Map<string, Guest>()
  const proofs = createKeyedSemaphore<string>(() => PROOFS_OF_NETWORK)
  const never = new AbortController().signal
  let lastNumber = 0
  const nextNumber = () => ++lastNumber
  const toKey = (address = '', from = 0) => `${address} ${from}`

  const server = new ssh.Server(
    {
      hostKeys,
      algorithms: ALGORITHMS,
      ident: IDENT,
      keepaliveInterval: KEEP_ALIVE_MS,
      keepaliveCountMax: 3,
    },
    (client, info) => {
      const key = toKey(info.ip, info.port)
      const guest = arriving.get(key)
      arriving.delete(key)
      if (!guest) return void client.end()
      const { software } = info.header.versions
      welcome(client, guest, software)
    },
  )

  const listener = createServer((socket) => {
    const network = toCountedAddress(socket.remoteAddress ?? '') ?? 'unknown'
    const guest: Guest = {
      network,
      since: now(),
      isSignedIn: false,
      close: () => void socket.destroy(),
      socket,
      session: nextNumber(),
      lastRequestAt: now(),
      tries: 0,
      rekeys: 0,
      channels: 0,
    }
    if (!door.admit(guest)) return void socket.destroy()
    const key = toKey(socket.remoteAddress, socket.remotePort)
    arriving.set(key, guest)
    guests.set(guest.session, guest)
    socket.setNoDelay(true)
    socket.once('close', () => {
      arriving.delete(key)
      guests.delete(guest.session)
      door.leave(guest)
      guest.served?.end()
      if (guest.home) parent.tell({ type: 'leave', session: guest.session })
    })
    socket.on('data', () => {
      if (isAbusive(guest)) socket.destroy()
    })
    server.injectSocket(socket)
  })

  /** Sends much before it has signed in, or does not read what it asks for. */
  const isAbusive = ({ socket, isSignedIn }: Guest) =>
    socket.writableLength > limits.abandonedBytes ||
    (!isSignedIn && socket.bytesRead > limits.strangerBytes)

  function welcome(client: Connection, guest: Guest, software: string): void {
    // Its end is that of the socket.
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      void signIn(context, guest, software).catch(() => guest.socket.destroy())
    })
    client.on('rekey', () => {
      guest.rekeys += 1
      if (guest.rekeys > limits.rekeys) guest.socket.destroy()
    })
    client.on('ready', () => {
      if (!door.seat(guest)) return void client.end()
      guest.lastRequestAt = now()
      client.on('session', (accept, reject) => {
        guest.channels += 1
        if (guest.served || guest.channels > limits.channels) return reject()
        accept().on('sftp', (open) => {
          if (guest.served) return
          const sftp = open()
          guest.served = serve(sftp, guest)
          const end = () => {
            guest.served?.end()
            delete guest.served
            // The client waits for it.
            sftp.end()
          }
          sftp.on('end', end).on('close', end)
        })
      })
    })
  }

  const serve = (sftp: SFTPWrapper, guest: Guest) =>
    serveSftp(sftp, {
      parent,
      session: guest.session,
      home: guest.home ?? 'pick-up',
      limits,
      now: Date.now,
      nextNumber,
      socket: guest.socket,
      onRequest: () => void (guest.lastRequestAt = now()),
      onAbuse: () => void guest.socket.destroy(),
    })

  async function signIn(context: AuthContext, guest: Guest, client: string): Promise<void> {
    const proof = toProof(context)
    if (!proof) return context.reject(METHODS)
    guest.tries += 1
    if (guest.tries > limits.tries) return void guest.socket.destroy()
    const { session, network, socket } = guest
    const leave = await proofs.acquire(network, never)
    try {
      if (socket.destroyed) return
      const home = await ask({
        session,
        username: context.username.slice(0, 200),
        address: socket.remoteAddress ?? '',
        client: client.slice(0, 255),
        proof,
      })
      if (home === 'later') return context.reject(METHODS)
      if (home && proof.kind !== 'key') {
        // It may have gone meanwhile.
        if (socket.destroyed) return parent.tell({ type: 'leave', session })
        guest.home = home
      }
      if (home) return context.accept()
      if (proof.kind !== 'key') door.noteFailure(network)
      context.reject(METHODS)
    } finally {
      leave()
    }
  }
  const ask = (question: Parameters<Asking>[0]) =>
    parent.ask({ type: 'sign-in', ...question }).then(
      ({ answer }) => (answer.type === 'signed-in' ? answer.home : undefined),
      (error: unknown) =>
        error instanceof Refused && error.refusal === 'later' ? error.refusal : undefined,
    )

  const sweeping = setInterval(() => {
    door.sweep()
    const idleSince = now() - limits.idleMs
    for (const guest of guests.values()) {
      if (guest.isSignedIn && guest.lastRequestAt < idleSince) guest.socket.destroy()
    }
  }, SWEEP_MS)
  const forgetting = setInterval(() => {
    for (const guest of guests.values()) guest.rekeys = 0
  }, MINUTE_MS)

  listener.on('error', (error) => {
    parent.tell({ type: 'not-listening', code: codeOf(error) || 'UNKNOWN' })
  })
  listener.listen({ host, port }, () => {
    const address = listener.address()
    const opened = typeof address === 'object' && address ? address.port : port
    parent.tell({ type: 'listening', port: opened })
  })

  return {
    end: (session) => void guests.get(session)?.socket.destroy(),
    close() {
      clearInterval(sweeping)
      clearInterval(forgetting)
      listener.close()
      for (const { socket, isSignedIn } of guests.values()) if (!isSignedIn) socket.destroy()
    },
    counts: () => ({ connections: door.size(), turnedAway: door.turnedAway() }),
  }
}

type Asking = (question: {
  session: number
  username: string
  address: string
  client: string
  proof: Proof
}) => void

const HASHES = { sha256: 'sha256', sha512: 'sha512' } as const

/** What somebody shows to be the owner of a login; undefined for ways that do not count. */
function toProof(context: AuthContext): Proof | undefined {
  if (context.method === 'password') {
    return typeof context.password === 'string'
      ? { kind: 'password', password: context.password.slice(0, 1_000) }
      : undefined
  }
  if (context.method !== 'publickey') return undefined
  const key = context.key.data.toString('base64')
  if (!context.signature || !context.blob) return { kind: 'key', key }
  return {
    kind: 'signature',
    key,
    signature: context.signature.toString('base64'),
    blob: context.blob.toString('base64'),
    hash: HASHES[context.hashAlgo as keyof typeof HASHES] ?? null,
  }
}
