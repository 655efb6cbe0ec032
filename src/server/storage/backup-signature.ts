import { timingSafeEqual } from 'node:crypto'

import type { SecretBox } from '../secrets/secret-box'
import {
  completeManifest,
  toSignedText,
  type BackupContents,
  type BackupManifest,
} from './backup-manifest'

const PURPOSE = 'stockbridge backup manifest'

/**
 * What a signature says of its manifest. `contradicted`: the key that it names is here, and did not
 * sign this.
 */
export type SignatureState = 'valid' | 'contradicted' | 'key-missing' | 'unsigned'

/**
 * The manifest of a backup that was checked, signed. The hashes in it cover every byte of the backup,
 * and the key is in no backup: nobody else can change one so that it still passes for ours.
 */
export function signManifest(
  secrets: SecretBox,
  contents: BackupContents,
  verifiedAt: string,
): BackupManifest {
  const manifest = completeManifest(contents, verifiedAt)
  return { ...manifest, signature: secrets.sign(toSignedText(manifest), PURPOSE) }
}

/** @param boxes the keys that are at hand */
export function checkSignature(boxes: SecretBox[], manifest: BackupManifest): SignatureState {
  const { signature } = manifest
  if (!signature) return 'unsigned'
  const signers = boxes.filter(({ keyId }) => keyId === signature.keyId)
  if (signers.length === 0) return 'key-missing'
  const text = toSignedText(manifest)
  const isValid = signers.some((box) => isSame(box.sign(text, PURPOSE).hmac, signature.hmac))
  return isValid ? 'valid' : 'contradicted'
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
}
