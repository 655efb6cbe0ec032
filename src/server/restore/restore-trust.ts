import { DomainError } from '../domain/errors'
import type { SecretBox } from '../secrets/secret-box'
import type { BackupManifest } from '../storage/backup-manifest'
import { checkSignature } from '../storage/backup-signature'

export type Trust = {
  /** The available keys; none of them comes from the backup. */
  boxes: SecretBox[]
  /** Whether the operator vouches for a backup that no available key can verify (--trust). */
  isTrusted: boolean
  /** The command line that restores this backup with --trust; without it, that is not offered. */
  command?: string
}

export const notUsable = (why: string) =>
  new DomainError('INVALID', `This backup cannot be used: ${why}`)

/**
 * Accepts a backup signed with an available key. A backup that no available key can verify requires
 * `isTrusted`; one whose signature does not match its key is always refused.
 * @returns a line about the signature for the operator
 * @throws DomainError INVALID
 */
export function requireTrust(manifest: BackupManifest, { boxes, ...trust }: Trust): string {
  const state = checkSignature(boxes, manifest)
  const keyId = manifest.signature?.keyId
  if (state === 'valid') return `Signed with the available key ${keyId}`
  if (state === 'contradicted') {
    throw notUsable(`it was changed after it was made: its signature does not match key ${keyId}`)
  }
  const why =
    state === 'unsigned'
      ? 'it is not signed: an older version made it, or its signature was removed'
      : `it is signed with key ${keyId}, which is not available here`
  if (trust.isTrusted) {
    const because =
      trust.command === undefined ? 'because somebody vouches for it' : 'because of --trust'
    return `Accepted ${because}: ${why}`
  }
  const provideKey =
    'Provide that key as ENCRYPTION_KEY, as ENCRYPTION_KEY_PREVIOUS or in DATA_DIR/encryption-key. '
  const advice = state === 'unsigned' ? '' : provideKey
  if (trust.command === undefined) throw notUsable(`${why}. ${advice}`.trim())
  const choice = 'If you know that nobody else could have changed it, restore it anyway:'
  throw notUsable(`${why}. ${advice}${choice}\n  ${trust.command}`)
}
