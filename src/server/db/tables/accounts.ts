import type { Generated } from 'kysely'

import type { NoticeKind } from '../../../shared/alerts'
import type { MemberRole, Role } from '../../../shared/constants'
import type { EventDetails } from '../../../shared/schemas/alert'
import type { SessionData, StoredIdentity } from '../stored-json'

export type UsersTable = {
  id: Generated<number>
  username: string
  /** The username with case and Unicode form normalized; must be unique. */
  usernameKey: string
  /** null for a user who signs in through an identity provider only. */
  passwordHash: string | null
  /** Since when only the person knows the password; null when somebody else has set it, or nobody knows. */
  passwordOwnSince: number | null
  /** A member has its company's role. */
  role: Role | 'MEMBER'
  isActive: Generated<boolean>
  settings: Generated<Record<string, unknown>>
  companyName: string | null
  maxRetailers: number | null
  contactEmail: string | null
  /** Chosen by a supplier to be shown to its retailers, unlike `contactEmail`. */
  publicEmail: string | null
  publicPhone: string | null
  publicWebsite: string | null
  /** The identity provider and its subject, which together identify a person. */
  googleIssuer: string | null
  googleUid: string | null
  displayName: string | null
  photoUrl: string | null
  /** Who registered a retailer login, so that only that supplier can link it. */
  registeredByUserId: number | null
  /** The company of a member: the row of its own login. */
  memberOf: number | null
  /** What a member may do; null for a company's own login, which may do everything. */
  memberRole: MemberRole | null
  /** A session stores the epoch it was created in; increasing it here ends all earlier sessions. */
  sessionEpoch: Generated<number>
  /** When this company is to be deleted; null unless somebody has asked for that. */
  deletionAt: number | null
  createdAt: number
}

export type SessionsTable = {
  /** SHA-256 of the session id, so that reading this table gives access to no session. */
  idHash: string
  userId: number | null
  data: SessionData
  createdAt: number
  touchedAt: number
  expiresAt: number
  /** The program that signed in, in words; null for a session that is not a person's. */
  program: string | null
  /** The client address of the last use, as rate limits count it. */
  address: string | null
  /** When the person last proved in this session to be who it is. */
  confirmedAt: number | null
}

/** A pending sign-in through the identity provider, at most one per session. */
export type GoogleSignInsTable = {
  sessionIdHash: string
  /** Id of the attempt, chosen by the page that opened the provider's window. */
  attempt: string
  /** The provider was asked to have the person sign in anew, to confirm who uses the session. */
  isConfirmation: Generated<boolean>
  state: string
  nonce: string
  codeVerifier: string
  /** Set when the provider's response has arrived: the state cannot be used again. */
  answeredAt: number | null
  /** The identity that the provider has confirmed, until the session's page has signed in. */
  identity: StoredIdentity | null
  expiresAt: number
}

export type KnownAddressesTable = {
  userId: number
  address: string
  seenAt: number
}

/** The programs and networks that a person has signed in with. */
export type SignInPlacesTable = {
  userId: number
  program: string
  network: string
  seenAt: number
}

export type AttemptsTable = {
  id: Generated<number>
  limitName: string
  /** SHA-256 of what is counted, because people type passwords into the username field. */
  subjectHash: string
  attemptedAt: number
}

/** A mail about an account: for a new password, with a link that works once, or of what happened to it. */
export type AccountMailsTable = {
  id: Generated<number>
  /** null for what was asked for an account that there is not: the same is written then. */
  userId: number | null
  kind: 'password-link' | NoticeKind
  /** SHA-256 of the link's token, in hexadecimal, made when the mail is sent; the token is stored nowhere. */
  tokenHash: string | null
  /** Where it goes, if that is not the address that the person has confirmed now. */
  address: string | null
  /** What a notice tells. */
  details: EventDetails | null
  createdAt: number
  /** When it is sent, again if that fails; null since it was sent. */
  nextAttemptAt: number | null
}
