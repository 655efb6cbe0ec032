import { DomainError } from '../domain/errors'
import type { SecretBox } from '../secrets/secret-box'
import type { BackupManifest } from '../storage/backup-manifest'
import { checkSignature } from '../storage/backup-signature'

export type Trust = {
  /** The keys that are at hand; none of them comes from the backup. */
  boxes: SecretBox[]
  /** The operator vouches for what no key here can tell. */
  isTrusted: boolean
  /** What takes this backup on the operator's word. */
  command: string
}

export const notUsable = (why: string) =>
  new DomainError('INVALID', `This backup cannot be used: ${why}`)

/**
 * Lets a backup pass that a key at hand has signed. What no key here can tell takes the operator's
 * word, and what a key contradicts nobody's.
 * @returns what there is to say of it
 * @throws DomainError INVALID
 */
export function requireTrust(manifest: BackupManifest, { boxes, ...trust }: Trust): string {
  const state = checkSignature(boxes, manifest)
  const keyId = manifest.signature?.keyId
  if (state === 'valid') return `Signed with key ${keyId}, which is here`
  if (state === 'contradicted') {
    throw notUsable(
      `it was changed after it was made: key ${keyId}, which is here, did not sign it`,
    )
  }
  const why =
    state === 'unsigned'
      ? 'it is not signed: an older version made it, or somebody has taken the signature away'
      : `it is signed with key ${keyId}, which is not here`
  if (trust.isTrusted) return `Taken on your word: ${why}`
  const bring = 'Bring that key back, as ENCRYPTION_KEY or in DATA_DIR/encryption-key. '
  const advice = state === 'unsigned' ? '' : bring
  const choice = 'If you know that nobody else could change it, take it on your own word:'
  throw notUsable(`${why}. ${advice}${choice}\n  ${trust.command}`)
}

/** The command line that restores the same with `--trust`, for a shell. */
export function toTrustCommand(file: string, isReplacing: boolean): string {
  const isPlain = /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(file)
  const quoted = isPlain ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`
  return `npm run restore -- ${quoted}${isReplacing ? ' --replace' : ''} --trust`
}
