import { MINUTE_MS, SECOND_MS } from '../../shared/durations'

/** What the SFTP server bears, of everybody together and of each. A network is an address, or of IPv6 64 bits. */
export const SFTP_LIMITS = {
  /** Connections that have signed in, in all and from one network. */
  connections: 2_000,
  connectionsOfNetwork: 200,
  /** Connections that have not signed in yet. When there are too many, the oldest of the largest network goes. */
  strangers: 200,
  strangersOfNetwork: 20,
  /** Handshakes from one network within a minute: each takes a millisecond or more. */
  handshakesOfNetwork: 120,
  /** Wrong proofs from one network within ten minutes; its next connections are turned away. */
  failuresOfNetwork: 60,
  signInWithinMs: 30 * SECOND_MS,
  /** Proofs that a connection may show. */
  tries: 6,
  /** What comes of a connection that has not signed in: its handshake, and some proofs. */
  strangerBytes: 256 * 1024,
  /** Without a request. */
  idleMs: 15 * MINUTE_MS,
  handles: 16,
  /** Channels that a connection opens, one after the other. */
  channels: 100,
  /** Requests of a connection that wait for their answers. */
  requests: 1_024,
  /** Exchanges of keys within a minute after the first. */
  rekeys: 10,
  /** Bytes of an upload that the parent has not taken yet. */
  untakenBytes: 256 * 1024,
  /** Bytes of an upload that have come before those that go before them. */
  earlyBytes: 2 * 1024 * 1024,
  /** Bytes of answers that a client has not read. */
  unreadBytes: 512 * 1024,
  /** Beyond that it is ended, as when so many answers wait for its window. */
  abandonedBytes: 1024 * 1024,
  abandonedAnswers: 128,
  pathBytes: 1_024,
} as const
export type SftpLimits = { [Name in keyof typeof SFTP_LIMITS]: number }
