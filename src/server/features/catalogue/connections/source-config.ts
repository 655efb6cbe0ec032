import { addressOrigin } from '../../../../shared/address-origin'
import type { ConnectionConfigInput } from '../../../../shared/schemas/connection'
import {
  isUnchanged,
  SECRET_FIELDS,
  SECRET_LABELS,
  SECRET_MASK,
  sourceAuthInput,
  type MaskedSourceAuth,
  type SourceAuthInput,
  type SourceAuthType,
} from '../../../../shared/schemas/source-auth'
import { findScheme } from '../../../../shared/source-schemes'
import { splitTypedAddress } from '../../../../shared/typed-address'
import type { ConnectionRow } from '../../../db/schema'
import { NO_ADDRESS, type StoredAuth, type StoredConfig } from '../../../db/stored-json'
import { DomainError } from '../../../domain/errors'
import { toStoredAddress } from '../../../domain/stored-address'
import { SealError, type SecretBox } from '../../../secrets/secret-box'
import { configAddressOwner } from './source-address'
import { toTransfer } from './transfer-settings'

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
export function toStoredConfig({ url, sealedUrl, auth, transfer }: StoredConfig): StoredConfig {
  return {
    url,
    ...(sealedUrl && { sealedUrl }),
    ...(auth && { auth }),
    ...(transfer && { transfer }),
  }
}

/**
 * The context that a secret is encrypted for: its owner, such as one of a supplier's addresses, and one origin. A secret
 * is therefore never sent to another origin, even when the URL was changed in the database.
 */
export function sealContextOf(owner: string, url: string): string {
  return `${owner} at ${addressOrigin(url)}`
}

type StoredSource = {
  /** Whose secrets they are: see `sourceOwner`. */
  owner: string
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
  input: ConnectionConfigInput,
  stored: StoredSource,
): SourceConfig {
  const { known, fieldPrefix, owner } = stored
  if (input.url === undefined) return withoutAddress(input, stored)
  const given = withoutLogin({ ...input, url: input.url }, fieldPrefix)
  const { url, sealedUrl } = toStoredAddress(secrets, {
    address: given.url,
    field: `${fieldPrefix}url`,
    owner: configAddressOwner(owner),
    known,
  })
  const auth = toStoredAuth(secrets, given, stored)
  requireFittingAccess(given.url, auth, fieldPrefix)
  const knownTransfer = isSameOrigin(known, given.url) ? known.transfer : undefined
  const transfer = toTransfer(given.url, given.transfer, { known: knownTransfer, fieldPrefix })
  return {
    type: 'URL',
    ...toStoredConfig({ url, auth, transfer, ...(sealedUrl && { sealedUrl }) }),
  }
}

type AddressedInput = ConnectionConfigInput & { url: string }

/** A user name and password that were typed inside the address become its credentials. */
function withoutLogin(input: AddressedInput, fieldPrefix: string): AddressedInput {
  const { address: url, username, password, usesTls } = splitTypedAddress(input.url)
  const transfer = usesTls ? { usesTls, ...input.transfer } : input.transfer
  if (username === undefined) return { ...input, url, transfer }
  const given = input.auth?.type === 'ssh-key' ? input.auth : { type: 'basic' }
  const auth = sourceAuthInput.safeParse({
    ...given,
    username,
    ...(password !== undefined && { password }),
  })
  if (auth.success) return { url, auth: auth.data, transfer }
  const why = auth.error.issues[0]?.message ?? 'The user name in the address cannot be used'
  throw new DomainError('INVALID', why, { field: `${fieldPrefix}url` })
}

const isSameOrigin = (known: StoredConfig | undefined, url: string): known is StoredConfig =>
  known !== undefined && known.url !== '' && addressOrigin(known.url) === addressOrigin(url)

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
  { url, auth }: AddressedInput,
  { known, fieldPrefix, owner }: StoredSource,
): StoredAuth | undefined {
  const kept = isSameOrigin(known, url) ? known.auth : undefined
  if (auth === undefined) return kept
  if (auth.type === 'none') return undefined
  const secret = readSecret(auth)
  if (!isUnchanged(secret)) {
    const context = sealContextOf(owner, url)
    // Entered again, as a seeding file does at each run, it is no other secret.
    const isKept = kept && isSealOf(secrets, kept.sealed, context, secret)
    return withSeal(auth, isKept ? kept.sealed : secrets.seal(secret, context))
  }
  if (kept?.type === auth.type) return withSeal(auth, kept.sealed)
  if (known?.auth?.type === auth.type && takesAccess(url, 'none')) return undefined
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

const takesAccess = (url: string, type: SourceAuthType) =>
  findScheme(url)?.access.includes(type) ?? false

/** What kinds of credentials are for that only one kind of address takes. */
const ONLY_FOR: Partial<Record<SourceAuthType, string>> = {
  s3: 'A key pair is only for an address that begins with s3://',
  'ssh-key': 'A private key is only for an address that begins with sftp://',
}

/** @throws DomainError INVALID for credentials that the address does not take */
function requireFittingAccess(url: string, auth: StoredAuth | undefined, prefix: string): void {
  const type = auth?.type ?? 'none'
  if (takesAccess(url, type)) return
  const why =
    ONLY_FOR[type] ?? findScheme(url)?.accessHint ?? 'Nothing can be fetched from this address'
  throw new DomainError('INVALID', why, { field: `${prefix}auth.type` })
}

type GivenAuth = Exclude<SourceAuthInput, { type: 'none' }>

function readSecret(auth: GivenAuth): string | undefined {
  if (auth.type === 'basic') return auth.password
  if (auth.type === 's3') return auth.secretAccessKey
  if (auth.type === 'ssh-key') return auth.privateKey
  return auth.type === 'bearer' ? auth.token : auth.value
}

function withSeal(auth: GivenAuth, sealed: string): StoredAuth {
  if (auth.type === 'basic' || auth.type === 'ssh-key') {
    return { type: auth.type, username: auth.username, sealed }
  }
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
  if (auth.type === 'ssh-key') {
    return { type: auth.type, username: auth.username, privateKey: SECRET_MASK }
  }
  return auth.type === 'bearer'
    ? { type: auth.type, token: SECRET_MASK }
    : { type: auth.type, name: auth.name, value: SECRET_MASK }
}
