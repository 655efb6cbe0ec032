import { addressOrigin } from '../../shared/address-origin'
import type { Connection, ConnectionFormValues } from '../../shared/schemas/connection'
import {
  DEFAULT_REGION,
  SECRET_MASK,
  type SourceAuthInput,
  type SourceAuthType,
} from '../../shared/schemas/source-auth'
import type { TransferInput } from '../../shared/schemas/transfer'
import { findScheme } from '../../shared/source-schemes'
import { splitTypedAddress } from '../../shared/typed-address'

/** A saved source; null for a new one. */
export type SavedSource = Connection['config'] | null

type SourceValues = ConnectionFormValues['config']

/** The kind of credentials that an address takes. What has been entered stays while the address is typed. */
export function accessTypeOf({ url, auth }: SourceValues): SourceAuthType {
  const access = findScheme(url)?.access ?? []
  return access.length === 0 || access.includes(auth.type) ? auth.type : (access[0] ?? 'none')
}

/**
 * Takes a user name and password out of an address that was typed, and into their fields; undefined if there is
 * nothing to take out.
 */
export function splitAddress({ url, auth, transfer }: SourceValues): SourceValues | undefined {
  const { address, username, password, usesTls } = splitTypedAddress(url.trim())
  if (username === undefined && usesTls === undefined) return undefined
  const login =
    auth.type === 'ssh-key'
      ? { ...auth, username: username ?? auth.username }
      : { type: 'basic' as const, username: username ?? '', password: password ?? '' }
  return {
    url: address,
    auth: username === undefined ? auth : login,
    transfer: usesTls ? { ...transfer, usesTls } : transfer,
  }
}

/** The keys of a server are those of another once the address has another origin. */
export function toCurrentTransfer(
  { url, transfer }: SourceValues,
  before: string,
  saved: SavedSource,
): TransferInput | undefined {
  if (originOf(url) === originOf(before)) return transfer
  const isSaved = saved !== null && originOf(url) === originOf(saved.url)
  const hostKeys = isSaved ? (saved.transfer?.hostKeys ?? []) : []
  const isSame = hostKeys.join() === (transfer?.hostKeys ?? []).join()
  return isSame ? transfer : { ...transfer, hostKeys }
}

/** As it is sent: without lines that are empty. */
export const toTransferInput = ({ transfer }: SourceValues): TransferInput | undefined =>
  transfer?.hostKeys
    ? { ...transfer, hostKeys: transfer.hostKeys.filter((key) => key.trim() !== '') }
    : transfer

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
