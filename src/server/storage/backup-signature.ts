import type { SecretBox } from '../secrets/secret-box'
import {
  completeManifest,
  toSignedText,
  type BackupContents,
  type BackupManifest,
} from './backup-manifest'

const PURPOSE = 'stockbridge backup manifest'

/**
 * The result of checking a signature. `contradicted`: we have the key that it names, but the signature
 * does not match the manifest. `key-missing`: we do not have that key.
 */
export type SignatureState = 'valid' | 'contradicted' | 'key-missing' | 'unsigned'

/**
 * Completes and signs the manifest of a verified backup. Its hashes cover every byte of the backup, and
 * no backup contains the key, so that nobody else can change a backup without being detected.
 */
export function signManifest(
  secrets: SecretBox,
  contents: BackupContents,
  verifiedAt: string,
): BackupManifest {
  const manifest = completeManifest(contents, verifiedAt)
  return { ...manifest, signature: secrets.sign(toSignedText(manifest), PURPOSE) }
}

/** @param boxes the available keys */
export function checkSignature(boxes: SecretBox[], manifest: BackupManifest): SignatureState {
  const { signature } = manifest
  if (!signature) return 'unsigned'
  const signers = boxes.filter(({ keyId }) => keyId === signature.keyId)
  if (signers.length === 0) return 'key-missing'
  const text = toSignedText(manifest)
  const isValid = signers.some((box) => box.isSigned(text, PURPOSE, signature.hmac))
  return isValid ? 'valid' : 'contradicted'
}
