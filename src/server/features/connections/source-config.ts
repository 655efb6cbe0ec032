import type { ConnectionConfigInput } from '../../../shared/schemas/connection'
import {
  isUnchanged,
  SECRET_LABELS,
  SECRET_MASK,
  type MaskedSourceAuth,
  type SourceAuthInput,
} from '../../../shared/schemas/source-auth'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { FeedError } from '../../feed/feed-error'
import type { SourceCredentials } from '../../feed/fetch/fetch'
import { readKeyId, SealError, type SecretBox } from '../../secrets/secret-box'
import { listConnections } from './connections.queries'

/** Access as it is stored: what is shown again in the clear, and the sealed secret. */
type StoredAuth =
  | { type: 'basic'; username: string; sealed: string }
  | { type: 'bearer'; sealed: string }
  | { type: 'header'; name: string; sealed: string }

type WithConfig = Pick<ConnectionRow, 'configJson'>

/** What `configJson` of a connection holds. */
export type SourceConfig = { url: string; auth?: StoredAuth }

/** A source, and whose it is. */
type OwnedSource = { supplierId: number; config: SourceConfig }

export function readConfig(connection: WithConfig): SourceConfig {
  return JSON.parse(connection.configJson) as SourceConfig
}

/** Host and port of a connection's source: what is asked politely, and fails as one. */
export function readHost(connection: WithConfig): string {
  return new URL(readConfig(connection).url).host
}

/**
 * Where a secret opens: one supplier's, for one origin. So none is ever sent to another origin, even
 * if the stored address were changed behind our back.
 */
function placeOf(supplierId: number, url: string): string {
  return `source of supplier ${supplierId} at ${new URL(url).origin}`
}

/**
 * The settings to store. A secret that is left out or masked stays as it was; one of another origin
 * is dropped.
 * @param known what has been stored so far
 * @throws DomainError INVALID when a secret is needed
 */
export function toSourceConfig(
  secrets: SecretBox,
  supplierId: number,
  { url, auth }: ConnectionConfigInput,
  known: SourceConfig | undefined,
): SourceConfig {
  const hasKnownOrigin = known !== undefined && new URL(known.url).origin === new URL(url).origin
  const kept = hasKnownOrigin ? known.auth : undefined
  if (auth === undefined) return kept ? { url, auth: kept } : { url }
  if (auth.type === 'none') return { url }
  const secret = readSecret(auth)
  if (!isUnchanged(secret)) {
    return { url, auth: withSeal(auth, secrets.seal(secret, placeOf(supplierId, url))) }
  }
  if (kept?.type === auth.type) return { url, auth: withSeal(auth, kept.sealed) }
  if (known?.auth?.type === auth.type) return { url }
  throw new DomainError('INVALID', `${SECRET_LABELS[auth.type]} is required`)
}

type GivenAuth = Exclude<SourceAuthInput, { type: 'none' }>

function readSecret(auth: GivenAuth): string | undefined {
  if (auth.type === 'basic') return auth.password
  return auth.type === 'bearer' ? auth.token : auth.value
}

function withSeal(auth: GivenAuth, sealed: string): StoredAuth {
  if (auth.type === 'basic') return { type: auth.type, username: auth.username, sealed }
  return auth.type === 'bearer'
    ? { type: auth.type, sealed }
    : { type: auth.type, name: auth.name, sealed }
}

/** Access as answers show it. */
export function maskAuth(auth: StoredAuth | undefined): MaskedSourceAuth {
  if (!auth) return { type: 'none' }
  if (auth.type === 'basic') {
    return { type: auth.type, username: auth.username, password: SECRET_MASK }
  }
  return auth.type === 'bearer'
    ? { type: auth.type, token: SECRET_MASK }
    : { type: auth.type, name: auth.name, value: SECRET_MASK }
}

/**
 * The header that lets us in; undefined where none is needed.
 * @throws FeedError `credentials-unreadable`; the administrator finds the key's id in the log
 */
export function openCredentials(deps: Deps, source: OwnedSource): SourceCredentials | undefined {
  const { auth, url } = source.config
  if (!auth) return undefined
  try {
    const secret = deps.secrets.open(auth.sealed, placeOf(source.supplierId, url))
    if (auth.type === 'header') return { name: auth.name, value: secret }
    const value =
      auth.type === 'bearer'
        ? `Bearer ${secret}`
        : `Basic ${Buffer.from(`${auth.username}:${secret}`).toString('base64')}`
    return { name: 'Authorization', value }
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    const { keyId, message } = error
    deps.logger.error({ supplierId: source.supplierId, keyId }, `Credentials unread: ${message}`)
    throw new FeedError('credentials-unreadable', describeSealError(error))
  }
}

function describeSealError({ keyId, isKeyMissing }: SealError): string {
  return isKeyMissing
    ? `The credentials of this connection were saved with another key (id ${keyId}). Enter them again, or ask your administrator to bring that key back.`
    : 'The credentials of this connection were damaged. Enter them again.'
}

/** What is to be said of keys that are missing, such as after a restore on a new machine. */
export async function describeMissingKeys(deps: Deps): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const row of await listConnections(deps.db)) {
    const { auth } = readConfig(row)
    if (!auth || deps.secrets.hasKeyOf(auth.sealed)) continue
    const keyId = readKeyId(auth.sealed)
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
  }
  return [...counts].map(
    ([keyId, count]) =>
      `The credentials of ${count} ${count === 1 ? 'connection' : 'connections'} were saved with encryption key ${keyId}, which is not here: bring it back as ENCRYPTION_KEY or in DATA_DIR/encryption-key, or have them entered again`,
  )
}
