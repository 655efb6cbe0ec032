import { MINUTE_MS } from '../../../../shared/durations'
import { inTransaction, type Db } from '../../../db/open'
import { rememberReads } from '../../../db/queries-kit/remember'
import type { ApiKeyRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { findActor } from '../accounts/find-actor'
import { findFactorDue } from '../sign-in-rules/factor-due'
import { SIGN_IN_RULES_TOPIC } from '../sign-in-rules/sign-in-rules.queries'
import { findStoredApiKey, markApiKeyUsed } from './api-keys.queries'

/** A key, and the person it acts for; undefined once that one is inactive. */
export type ApiKeyCaller = { key: ApiKeyRow; actor: Actor | undefined }

/** Reads whom keys act for, for every request with one. */
export type ApiKeyReader = {
  /** Finds a key that has not been ended; it may have expired. */
  find(tokenHash: string): Promise<ApiKeyCaller | undefined>
}

/** What ends a key, or its person, applies to the next request. */
const REMEMBERED = { max: 10_000, isCurrent: true }
const NOTED_EVERY_MS = 5 * MINUTE_MS

/** Remembers keys until they change, as `createSignedInReader` does sessions. */
export function createApiKeyReader(db: Db, clock: { now(): number }): ApiKeyReader {
  const remembered = rememberReads<ApiKeyCaller>({ db, clock }, REMEMBERED)
  return {
    find(tokenHash) {
      return remembered.get(tokenHash, async () => {
        const value = await readCaller(db, tokenHash)
        return { value, topics: value && listTopics(value) }
      })
    },
  }
}

async function readCaller(db: Db, tokenHash: string): Promise<ApiKeyCaller | undefined> {
  const key = await findStoredApiKey(db, tokenHash)
  if (!key) return undefined
  const user = await findActor(db, key.userId)
  if (!user || !selfOf(user).isActive) return { key, actor: undefined }
  const { id, name } = key
  const factorDueAt = await findFactorDue(db, selfOf(user))
  const due = factorDueAt !== undefined && { factorDueAt }
  return { key, actor: Object.freeze({ ...user, ...due, key: { id, name } }) }
}

function listTopics({ key, actor }: ApiKeyCaller): string[] {
  const people = actor ? [actor.id, selfOf(actor).id] : [key.userId]
  return [`api-key ${key.id}`, SIGN_IN_RULES_TOPIC, ...people.map((id) => `user ${id}`)]
}

/** Notes by what and from where a key is used, at most every five minutes; see `touchSession`. */
export async function noteApiKeyUse(
  { db, clock }: { db: Db; clock: { now(): number } },
  { id, lastUsedAt }: ApiKeyRow,
  readSender: () => { program: string; address: string },
): Promise<void> {
  const now = clock.now()
  if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < NOTED_EVERY_MS) return
  await inTransaction(db, (trx) => markApiKeyUsed(trx, id, { lastUsedAt: now, ...readSender() }))
}
