import type { Socket } from 'node:net'

import { MAX_MAIL_BYTES } from '../../../shared/constants'
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import { isInNetworks, toNetwork, toPlainAddress } from '../../domain/networks'

/** Those of the mail server in front come from one address, twenty at a time as a rule. */
const MAX_CONNECTIONS = 200
export const MAX_CONNECTIONS_OF_ADDRESS = 50
/** When there are too many, the oldest that has not named an address of ours after this time gives way. */
const GIVES_WAY_AFTER_MS = 5 * SECOND_MS
/** Without an address of ours it is ended after this time. */
const MAX_IDLE_MS = 30 * SECOND_MS
const MAX_LIFE_MS = 60 * MINUTE_MS
/** What is sent besides mails, which are counted as they come. */
const MAX_COMMAND_BYTES = 256 * 1024
/** The rest of a mail that is too large is read on, so that its sender hears why, but not for ever. */
const MAX_SURPLUS_BYTES = 10 * 1024 * 1024
const SWEEP_EVERY_MS = 5 * SECOND_MS

interface Connection {
  socket: Socket
  group: string
  since: number
  /** Whether an address of ours was named. */
  isTrusted: boolean
  /** What its mails have taken on the wire, where lines may begin with a dot more, and be encrypted. */
  mailBytes: number
  /** What had come when its last mail began. */
  mailFrom: number
  /** A mail that is coming in must have come by then. */
  mailUntil: number | undefined
  /** Whether it waits for what becomes of a mail, or still sends it. */
  hasMail: boolean
}

/**
 * Keeps the connections of a listener within bounds: how many there are in all and of one address, how long they
 * last, and what they send.
 * @param networks from which connections are accepted; none: from all
 */
export function createSmtpConnections(networks: readonly string[]) {
  const connections = new Map<string, Connection>()
  const listOpen = () => {
    for (const [id, { socket }] of connections) if (socket.destroyed) connections.delete(id)
    return [...connections.values()]
  }
  const sweep = () => {
    const now = performance.now()
    for (const connection of listOpen()) if (isOverdue(connection, now)) connection.socket.destroy()
  }
  const timer = setInterval(sweep, SWEEP_EVERY_MS)
  timer.unref()

  return {
    /** Counts a new connection under its id. Returns false when it cannot be had, and then it is closed. */
    enter(id: string, socket: Socket): boolean {
      const address = toPlainAddress(socket.remoteAddress ?? '')
      const isWelcome =
        address !== null && (networks.length === 0 || isInNetworks(address, networks))
      const group = groupOf(address ?? '')
      const open = listOpen()
      const isCrowded =
        open.filter((other) => other.group === group).length >= MAX_CONNECTIONS_OF_ADDRESS ||
        (open.length >= MAX_CONNECTIONS && !makeRoom(open))
      if (!isWelcome || isCrowded) {
        socket.destroy()
        return false
      }
      connections.set(id, {
        socket,
        group,
        since: performance.now(),
        isTrusted: false,
        mailBytes: 0,
        mailFrom: 0,
        mailUntil: undefined,
        hasMail: false,
      })
      return true
    },
    /** Notes that a connection has named an address of ours. */
    trust(id: string): void {
      const connection = connections.get(id)
      if (connection) connection.isTrusted = true
    },
    /** Notes that a mail begins, which may take so long. */
    beginMail(id: string, withinMs: number): void {
      const connection = connections.get(id)
      if (!connection) return
      connection.mailFrom = connection.socket.bytesRead
      connection.mailUntil = performance.now() + withinMs
      connection.hasMail = true
    },
    /** Notes that a mail has come in whole, or what there will ever be of it. */
    endMail(id: string): void {
      const connection = connections.get(id)
      if (!connection) return
      connection.mailBytes += connection.socket.bytesRead - connection.mailFrom
      connection.mailUntil = undefined
    },
    /** Notes that it was said what has become of a mail. */
    answerMail(id: string): void {
      const connection = connections.get(id)
      if (connection) connection.hasMail = false
    },
    /** Ends those that have no mail on its way. */
    endIdle(): void {
      for (const { socket, hasMail } of connections.values()) if (!hasMail) socket.destroy()
    },
    count: () => listOpen().length,
    close(): void {
      clearInterval(timer)
      for (const { socket } of connections.values()) socket.destroy()
      connections.clear()
    },
  }
}

function isOverdue(
  { socket, since, isTrusted, mailBytes, mailUntil }: Connection,
  now: number,
): boolean {
  const age = now - since
  if (mailUntil !== undefined) {
    const allowed = mailBytes + MAX_COMMAND_BYTES + MAX_MAIL_BYTES + MAX_SURPLUS_BYTES
    return now > mailUntil || socket.bytesRead > allowed
  }
  return (
    age > MAX_LIFE_MS ||
    (!isTrusted && age > MAX_IDLE_MS) ||
    socket.bytesRead - mailBytes > MAX_COMMAND_BYTES
  )
}

function makeRoom(open: Connection[]): boolean {
  const now = performance.now()
  const oldest = open.find(({ since, isTrusted }) => !isTrusted && now - since > GIVES_WAY_AFTER_MS)
  oldest?.socket.destroy()
  return oldest !== undefined
}

/** Whoever has one IPv6 address has its whole /64. */
const groupOf = (address: string) =>
  address.includes(':') ? (toNetwork(`${address}/64`) ?? address) : address
