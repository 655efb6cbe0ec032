import { addressOrigin } from '../../../shared/address-origin'
import { isS3Address } from '../../../shared/s3-address'
import type { Connection, ConnectionFormValues } from '../../../shared/schemas/connection'
import {
  DEFAULT_REGION,
  SECRET_MASK,
  type SourceAuthInput,
  type SourceAuthType,
} from '../../../shared/schemas/source-auth'

/** A saved source; null for a new one. */
export type SavedSource = Connection['config'] | null

/**
 * The kind of credentials that an address takes: a bucket takes a key pair, and a web address does not. What has been
 * entered stays while the address is typed.
 */
export function accessTypeOf({ url, auth }: ConnectionFormValues['config']): SourceAuthType {
  const address = url.trim()
  if (isS3Address(address)) return 's3'
  return auth.type === 's3' && /^https?:/i.test(address) ? 'none' : auth.type
}

/** Initial fields for a kind of credentials: the saved ones if it is the saved kind, else empty. */
export function startAuth(type: SourceAuthType, saved: SavedSource): SourceAuthInput {
  if (saved?.auth.type === type) return saved.auth
  switch (type) {
    case 'basic':
      return { type, username: '', password: '' }
    case 'bearer':
      return { type, token: '' }
    case 'header':
      return { type, name: '', value: '' }
    case 's3':
      return { type, accessKeyId: '', secretAccessKey: '', region: DEFAULT_REGION, endpoint: '' }
    case 'ssh-key':
      return { type, username: '', privateKey: '', passphrase: '' }
    case 'none':
      return { type }
  }
}

/** Clears a masked secret when the URL has another origin: it must then be entered again. */
export function toCurrentAuth(
  { url, auth }: ConnectionFormValues['config'],
  saved: SavedSource,
): SourceAuthInput {
  if (saved && originOf(url) === originOf(saved.url)) return auth
  const isSaved = (secret: string | undefined) => secret === SECRET_MASK
  if (auth.type === 'basic' && isSaved(auth.password)) return { ...auth, password: '' }
  if (auth.type === 'bearer' && isSaved(auth.token)) return { ...auth, token: '' }
  if (auth.type === 'header' && isSaved(auth.value)) return { ...auth, value: '' }
  if (auth.type === 's3' && isSaved(auth.secretAccessKey)) return { ...auth, secretAccessKey: '' }
  if (auth.type === 'ssh-key' && isSaved(auth.privateKey)) return { ...auth, privateKey: '' }
  return auth
}

/** Scheme, host and port; null while the URL is incomplete. */
export function originOf(url: string): string | null {
  return URL.canParse(url) ? addressOrigin(url) : null
}
