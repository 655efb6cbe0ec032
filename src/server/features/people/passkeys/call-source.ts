import { selfOf, type Actor } from '../../../domain/actor'
import type { ChallengePurpose } from './challenges'

/** Where a call of somebody who is signed in comes from: the session, and the origin by which the product was called. */
export type CallSource = { sessionIdHash: string; calledAt: string }

export const readCallSource = (call: {
  session: { idHash: string }
  origin: string
}): CallSource => ({ sessionIdHash: call.session.idHash, calledAt: call.origin })

/** That the caller does something in this session. */
export const purposeOf = (
  kind: 'add' | 'confirm',
  actor: Actor,
  { sessionIdHash }: CallSource,
): ChallengePurpose => ({ kind, userId: selfOf(actor).id, sessionIdHash })
