import { createHash } from 'node:crypto'

/** The fingerprint of a server's public key as OpenSSH shows it: `SHA256:` and 43 characters. */
export function keyFingerprint(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replaceAll('=', '')}`
}
