import { formatCountOf } from '../../../shared/format'
import type { ConnectionConfigInput } from '../../../shared/schemas/connection'
import {
  isUnchanged,
  SECRET_FIELDS,
  SECRET_LABELS,
  SECRET_MASK,
  type MaskedSourceAuth,
  type SourceAuthInput,
} from '../../../shared/schemas/source-auth'
import type { ConnectionRow } from '../../db/schema'
import type { StoredAuth, StoredConfig } from '../../db/stored-json'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { readKeyId, type SecretBox } from '../../secrets/secret-box'
import { listConnections } from './connections.queries'

/** The settings of a connection's source: one member for each type of source that can be used. */
export type SourceConfig = UrlConfig
type UrlConfig = { type: 'URL' } & StoredConfig

type WithConfig = Pick<ConnectionRow, 'type' | 'config'>

/** The type has a column of its own, and `config` holds the rest. */
export function sourceOf({ type, config }: WithConfig): SourceConfig {
  return { ...config, type } as SourceConfig
}

/** @returns `config` of a connection */
export function toStoredConfig({ url, auth }: SourceConfig): StoredConfig {
  return { url, ...(auth && { auth }) }
}

/** Host and port of a connection's source: requests are limited, and outages are told, by host. */
export function readHost(connection: WithConfig): string {
  return new URL(sourceOf(connection).url).host
}

/**
 * What a secret is sealed for: one supplier, and one origin. So none is ever sent to another origin,
 * even when the stored address was changed in the database.
 */
export function sealContextOf(supplierId: number, url: string): string {
  return `source of supplier ${supplierId} at ${new URL(url).origin}`
}

type StoredSource = {
  /** What has been stored so far. */
  known?: SourceConfig | undefined
  /** What stands before the paths of the settings in the caller's input: `config.`, or nothing. */
  fieldPrefix: 'config.' | ''
}

/**
 * The settings to store. A secret that is left out or masked stays as it was; one of another origin
 * is dropped.
 * @throws DomainError INVALID when a secret is needed
 */
export function toSourceConfig(
  secrets: SecretBox,
  supplierId: number,
  input: ConnectionConfigInput,
  stored: StoredSource,
): SourceConfig {
  const auth = toStoredAuth(secrets, supplierId, input, stored)
  return { type: 'URL', url: input.url, ...(auth && { auth }) }
}

function toStoredAuth(
  secrets: SecretBox,
  supplierId: number,
  { url, auth }: ConnectionConfigInput,
  { known, fieldPrefix }: StoredSource,
): StoredAuth | undefined {
  const hasKnownOrigin = known !== undefined && new URL(known.url).origin === new URL(url).origin
  const kept = hasKnownOrigin ? known.auth : undefined
  if (auth === undefined) return kept
  if (auth.type === 'none') return undefined
  const secret = readSecret(auth)
  if (!isUnchanged(secret))
    return withSeal(auth, secrets.seal(secret, sealContextOf(supplierId, url)))
  if (kept?.type === auth.type) return withSeal(auth, kept.sealed)
  if (known?.auth?.type === auth.type) return undefined
  throw new DomainError('INVALID', `${SECRET_LABELS[auth.type]} is required`, {
    field: `${fieldPrefix}auth.${SECRET_FIELDS[auth.type]}`,
  })
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

/** What is to be said of keys that are missing, such as after a restore on a new machine. */
export async function describeMissingKeys(deps: Deps): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const row of await listConnections(deps.db)) {
    const { auth } = sourceOf(row)
    if (!auth || deps.secrets.hasKeyOf(auth.sealed)) continue
    const keyId = readKeyId(auth.sealed)
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
  }
  return [...counts].map(
    ([keyId, count]) =>
      `The credentials of ${formatCountOf(count, 'connection')} were saved with encryption key ${keyId}, which is not here: bring it back as ENCRYPTION_KEY or in DATA_DIR/encryption-key, or have them entered again`,
  )
}
