import { createHash } from 'node:crypto'

import { HOST_KEY_TYPES, type HostKeyType } from '../../shared/host-key'

/** The fingerprint of a public key as OpenSSH shows it: `SHA256:` and 43 characters. */
export function keyFingerprint(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replaceAll('=', '')}`
}

/** A public key as SSH sends it, told by its kind and fingerprint; undefined for a kind that is not known. */
export function describePublicKey(
  blob: Buffer,
): { type: HostKeyType; fingerprint: string } | undefined {
  const length = blob.length >= 4 ? blob.readUInt32BE(0) : 0
  const name = blob.toString('latin1', 4, 4 + Math.min(length, 100))
  const type = HOST_KEY_TYPES.find((one) => one === name)
  return type && { type, fingerprint: keyFingerprint(blob) }
}
