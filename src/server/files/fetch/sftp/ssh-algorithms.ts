import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2'

import type { HostKeyType } from '../../../../shared/host-key'

/**
 * Without groups of the server's own choice, which could cost much time, and without compression, which could cost
 * much memory.
 */
const KEX = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group16-sha512',
] as const

const CIPHERS = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
] as const

const MACS = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
] as const

/** In the order in which a key is asked for. */
const SIGNATURES: Record<HostKeyType, readonly ServerHostKeyAlgorithm[]> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

/**
 * What is offered to a server.
 * @param types of keys by which it may show itself
 * @param allowsOld whether methods with SHA-1 are offered too, last
 */
export function toAlgorithms(types: readonly HostKeyType[], allowsOld: boolean): Algorithms {
  const signatures = types.flatMap((type) => SIGNATURES[type])
  const isOldRsa = allowsOld && types.includes('ssh-rsa')
  return {
    kex: allowsOld ? [...KEX, 'diffie-hellman-group14-sha1'] : [...KEX],
    serverHostKey: isOldRsa ? [...signatures, 'ssh-rsa'] : signatures,
    cipher: allowsOld ? [...CIPHERS, 'aes128-cbc', 'aes256-cbc'] : [...CIPHERS],
    hmac: allowsOld ? [...MACS, 'hmac-sha1'] : [...MACS],
    compress: ['none'],
  }
}
