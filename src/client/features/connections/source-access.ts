import type { Connection, ConnectionFormValues } from '../../../shared/schemas/connection'
import {
  SECRET_MASK,
  type SourceAuthInput,
  type SourceAuthType,
} from '../../../shared/schemas/source-auth'

/** What the dialog has saved so far; null for a new connection. */
export type SavedSource = Connection['config'] | null

/** Fields to fill in; with the same kind of access as before, what was saved. */
export function startAuth(type: SourceAuthType, saved: SavedSource): SourceAuthInput {
  if (saved?.auth.type === type) return saved.auth
  switch (type) {
    case 'basic':
      return { type, username: '', password: '' }
    case 'bearer':
      return { type, token: '' }
    case 'header':
      return { type, name: '', value: '' }
    default:
      return { type }
  }
}

/** A saved secret is for its own origin: with another address it has to be entered again. */
export function toCurrentAuth(
  { url, auth }: ConnectionFormValues['config'],
  saved: SavedSource,
): SourceAuthInput {
  if (saved && originOf(url) === originOf(saved.url)) return auth
  const isSaved = (secret: string | undefined) => secret === SECRET_MASK
  if (auth.type === 'basic' && isSaved(auth.password)) return { ...auth, password: '' }
  if (auth.type === 'bearer' && isSaved(auth.token)) return { ...auth, token: '' }
  if (auth.type === 'header' && isSaved(auth.value)) return { ...auth, value: '' }
  return auth
}

/** Scheme, host and port; null while the address is being typed. */
export function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null
}
