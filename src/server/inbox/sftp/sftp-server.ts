import { createServer } from 'node:net'

import ssh, { type Connection, type SFTPWrapper } from 'ssh2'

import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import { toCountedAddress } from '../../domain/networks'
import { codeOf } from '../../process/error-code'
import type { SftpLimits } from '../limits'
import type { Parent } from '../parent'
import { ALGORITHMS } from './algorithms'
import { createDoor } from './door'
import type { Guest } from './guest'
import { serveSftp } from './session'
import { createSignIn } from './sign-in'

const SWEEP_MS = SECOND_MS
const KEEP_ALIVE_MS = MINUTE_MS

/** Programs are told what this is, and no version. */
const IDENT = 'SFTP'

/** Where it listens, and as what. */
type Address = { host: string; port: number; hostKeys: string[] }

export interface SftpServer {
  /** Ends a session, whatever it is doing. */
  end(session: number): void
  /** Accepts no more connections, and ends those that wait for nothing. */
  close(): void
  counts(): { connections: number; turnedAway: number }
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
  const signIn = createSignIn(parent, door, limits)
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
