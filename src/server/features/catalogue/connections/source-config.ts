import { addressOrigin } from '../../../../shared/address-origin'
import { isS3Address } from '../../../../shared/s3-address'
import type { ConnectionConfigInput } from '../../../../shared/schemas/connection'
import {
  isUnchanged,
  SECRET_FIELDS,
  SECRET_LABELS,
  SECRET_MASK,
  type MaskedSourceAuth,
  type SourceAuthInput,
} from '../../../../shared/schemas/source-auth'
import type { ConnectionRow } from '../../../db/schema'
import { NO_ADDRESS, type StoredAuth, type StoredConfig } from '../../../db/stored-json'
import { DomainError } from '../../../domain/errors'
import { toStoredAddress } from '../../../domain/stored-address'
import { SealError, type SecretBox } from '../../../secrets/secret-box'
import { type SourcePart, sourceAddressOwner } from './source-address'

/**
 * The settings of a connection's source: one member for each supported type of source. Without a URL, files are
 * only sent to it.
 */
export type SourceConfig = UrlConfig
type UrlConfig = { type: 'URL' } & StoredConfig

type WithConfig = Pick<ConnectionRow, 'type' | 'config'>

/** Joins the column `type` with the settings in the column `config`. */
export function sourceOf({ type, config }: WithConfig): SourceConfig {
  return { ...config, type } as SourceConfig
}

/** The inverse of `sourceOf`: the value of the column `config`. */
export function toStoredConfig({ url, sealedUrl, auth }: StoredConfig): StoredConfig {
  return { url, ...(sealedUrl && { sealedUrl }), ...(auth && { auth }) }
}

/**
 * The context that a secret is encrypted for: one of a supplier's addresses and one origin. A secret is therefore
 * never sent to another origin, even when the URL was changed in the database.
 */
export function sealContextOf(supplierId: number, url: string, part: SourcePart): string {
  return `${part} of supplier ${supplierId} at ${addressOrigin(url)}`
}

type StoredSource = {
  part: SourcePart
  /** The settings stored so far. */
  known?: StoredConfig | undefined
  /** The prefix of the settings' paths in the caller's input, for the field named in an error. */
  fieldPrefix: 'config.' | 'overlay.' | ''
}

/**
 * Returns the settings to store, with secrets encrypted, also those in the address. A secret that is
 * left out or masked keeps its stored value if the URL has the same origin, and is dropped otherwise.
 * @throws DomainError INVALID when a secret is required and none is stored, or for a masked address that
 *   is not the stored one
 */
export function toSourceConfig(
  secrets: SecretBox,
  supplierId: number,
  input: ConnectionConfigInput,
  stored: StoredSource,
): SourceConfig {
  const { known, fieldPrefix, part } = stored
  const { url: given } = input
  if (given === undefined) return withoutAddress(input, stored)
  const address = toStoredAddress(secrets, {
    address: given,
    field: `${fieldPrefix}url`,
    owner: sourceAddressOwner(supplierId, part),
    known,
  })
  const auth = toStoredAuth(secrets, supplierId, { ...input, url: given }, stored)
  requireKeyPair(given, auth, fieldPrefix)
  const { url, sealedUrl } = address
  return { type: 'URL', url, ...(sealedUrl && { sealedUrl }), ...(auth && { auth }) }
}

function withoutAddress(
  { auth }: ConnectionConfigInput,
  { fieldPrefix }: StoredSource,
): SourceConfig {
  if (auth === undefined || auth.type === 'none') return { type: 'URL', ...NO_ADDRESS }
  const why = 'Enter the address that these credentials are for'
  throw new DomainError('INVALID', why, { field: `${fieldPrefix}url` })
}

function toStoredAuth(
  secrets: SecretBox,
  supplierId: number,
  { url, auth }: ConnectionConfigInput & { url: string },
  { known, fieldPrefix, part }: StoredSource,
): StoredAuth | undefined {
  const hasKnownOrigin =
    known !== undefined && known.url !== '' && addressOrigin(known.url) === addressOrigin(url)
  const kept = hasKnownOrigin ? known.auth : undefined
  if (auth === undefined) return kept
  if (auth.type === 'none') return undefined
  const secret = readSecret(auth)
  if (!isUnchanged(secret)) {
    const context = sealContextOf(supplierId, url, part)
    // Entered again, as a seeding file does at each run, it is no other secret.
    const isKept = kept && isSealOf(secrets, kept.sealed, context, secret)
    return withSeal(auth, isKept ? kept.sealed : secrets.seal(secret, context))
  }
  if (kept?.type === auth.type) return withSeal(auth, kept.sealed)
  if (known?.auth?.type === auth.type && auth.type !== 's3') return undefined
  throw new DomainError('INVALID', `${SECRET_LABELS[auth.type]} is required`, {
    field: `${fieldPrefix}auth.${SECRET_FIELDS[auth.type]}`,
  })
}

function isSealOf(secrets: SecretBox, sealed: string, context: string, secret: string): boolean {
  try {
    return secrets.open(sealed, context) === secret
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

/** @throws DomainError INVALID for a bucket without a key pair, and for a key pair without a bucket */
function requireKeyPair(url: string, auth: StoredAuth | undefined, prefix: string): void {
  const isBucket = isS3Address(url)
  if (isBucket === (auth?.type === 's3')) return
  const why = isBucket
    ? 'A file in a bucket needs a key pair: enter it under Access'
    : 'A key pair is only for an address that begins with s3://'
  throw new DomainError('INVALID', why, { field: `${prefix}auth.type` })
}

type GivenAuth = Exclude<SourceAuthInput, { type: 'none' }>

function readSecret(auth: GivenAuth): string | undefined {
  if (auth.type === 'basic') return auth.password
  if (auth.type === 's3') return auth.secretAccessKey
  return auth.type === 'bearer' ? auth.token : auth.value
}

function withSeal(auth: GivenAuth, sealed: string): StoredAuth {
  if (auth.type === 'basic') return { type: auth.type, username: auth.username, sealed }
  if (auth.type === 's3') {
    const { type, accessKeyId, region, endpoint } = auth
    return { type, accessKeyId, region, ...(endpoint !== undefined && { endpoint }), sealed }
  }
  return auth.type === 'bearer'
    ? { type: auth.type, sealed }
    : { type: auth.type, name: auth.name, sealed }
}

/** Credentials as responses show them: secrets are replaced by `SECRET_MASK`. */
export function maskAuth(auth: StoredAuth | undefined): MaskedSourceAuth {
  if (!auth) return { type: 'none' }
  if (auth.type === 'basic') {
    return { type: auth.type, username: auth.username, password: SECRET_MASK }
  }
  if (auth.type === 's3') {
    const { sealed: _, ...shown } = auth
    return { ...shown, secretAccessKey: SECRET_MASK }
  }
  return auth.type === 'bearer'
    ? { type: auth.type, token: SECRET_MASK }
    : { type: auth.type, name: auth.name, value: SECRET_MASK }
}
