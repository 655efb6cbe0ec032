import type { Db } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow, SftpLoginRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { hashSecretToken } from '../../../domain/secret-token'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { findRetailers, type RetailerRecord } from '../../distribution/retailers/retailers.queries'
import { findSftpLogin } from '../../distribution/sftp-logins/sftp-logins.queries'
import { findUser } from '../../people/accounts/users.queries'

/** By what somebody signs in; a key that is only asked about proves nothing. */
export type SftpProof =
  | { kind: 'password'; password: string }
  | { kind: 'key'; key: Buffer }
  | { kind: 'signature'; key: Buffer; verify: (publicKey: string) => boolean }

/** Somebody who has signed in by SFTP. What it may do is asked anew each time. */
export type SftpGuest = {
  loginId: number
  username: string
  /** What it has signed in with: the hash of its password, or the line of its key. */
  proof: string
}

/** What a login opens, as long as it may be used. */
export type SftpPlace =
  | { kind: 'connection'; connection: Owned<ConnectionRow> }
  | { kind: 'retailer'; retailer: Owned<RetailerRecord> }

/** Whose login somebody has tried, for the audit log; undefined for a name that is unknown. */
export type TriedLogin = Pick<SftpLoginRow, 'id' | 'connectionId' | 'retailerId'>

/** Judges a proof. Whether it was the name or the proof that is wrong is not told. */
export async function judgeSftpProof(
  { db }: Pick<Deps, 'db'>,
  username: string,
  proof: SftpProof,
): Promise<{ guest: SftpGuest; place: SftpPlace } | { tried: TriedLogin | undefined }> {
  const login = await findSftpLogin(db, username)
  const shown = login && findShown(login, proof)
  const place = login && shown !== undefined ? await findPlace(db, login) : undefined
  if (!login || shown === undefined || !place) return { tried: login }
  return { guest: { loginId: login.id, username, proof: shown }, place }
}

function findShown(login: SftpLoginRow, proof: SftpProof): string | undefined {
  if (proof.kind === 'password') {
    const hash = hashSecretToken(proof.password)
    return login.passwordHash === hash ? hash : undefined
  }
  const base64 = proof.key.toString('base64')
  const line = login.publicKeys.find((one) => one.split(' ')[1] === base64)
  if (line === undefined) return undefined
  return proof.kind === 'key' || proof.verify(line) ? line : undefined
}

/** The place of a login whose owner is active. */
async function findPlace(
  db: Db,
  { connectionId, retailerId }: SftpLoginRow,
): Promise<SftpPlace | undefined> {
  if (connectionId !== null) {
    const connection = await findConnection(db, connectionId, {})
    const supplier = connection && (await findUser(db, connection.supplierId))
    return connection && supplier?.isActive ? { kind: 'connection', connection } : undefined
  }
  const [retailer] = retailerId === null ? [] : await findRetailers(db, [retailerId], {})
  const user = retailer && (await findUser(db, retailer.userId))
  return retailer && user?.isActive ? { kind: 'retailer', retailer } : undefined
}

/** @throws DomainError UNAUTHENTICATED once the login is gone, or what it was signed in with */
export async function requirePlace(
  db: Db,
  { username, loginId, proof }: SftpGuest,
): Promise<SftpPlace> {
  const login = await findSftpLogin(db, username)
  const isValid =
    login?.id === loginId && (login.passwordHash === proof || login.publicKeys.includes(proof))
  const place = isValid ? await findPlace(db, login) : undefined
  if (!place) throw new DomainError('UNAUTHENTICATED', 'This login does not work any more.')
  return place
}
