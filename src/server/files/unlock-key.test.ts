import { generateKeyPairSync } from 'node:crypto'

import ssh from 'ssh2'
import { describe, expect, it } from 'vitest'

import { KEYGEN_KEYS, PASSPHRASE } from '../testing/fixtures/ssh-keys'
import { unlockKey } from './unlock-key'

/** A key as `openssl` and others write it. */
function makePem(
  type: 'rsa' | 'ec' | 'ed25519',
  options: object,
  format: 'pkcs1' | 'sec1' | 'pkcs8',
  locked: boolean,
) {
  // One call for all types, which differ in their options only.
  const generate = generateKeyPairSync as unknown as (
    type: string,
    options: object,
  ) => { privateKey: string }
  return generate(type, {
    ...options,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: {
      type: format,
      format: 'pem',
      ...(locked && { cipher: 'aes-256-cbc', passphrase: PASSPHRASE }),
    },
  }).privateKey
}

const messageOf = (privateKey: string, passphrase = '') =>
  unlockKey({ privateKey, passphrase }).then(
    () => 'fine',
    (error: Error) => error.message,
  )

describe('a private key', () => {
  const EC = { namedCurve: 'P-256' }
  const RSA = { modulusLength: 2_048 }
  it.each([
    ['Ed25519 of OpenSSH', KEYGEN_KEYS.ed25519.open, KEYGEN_KEYS.ed25519.locked],
    ['ECDSA of OpenSSH', KEYGEN_KEYS.ecdsa.open, KEYGEN_KEYS.ecdsa.locked],
    ['RSA of OpenSSH', KEYGEN_KEYS.rsa.open, KEYGEN_KEYS.rsa.locked],
    ['RSA in PEM', makePem('rsa', RSA, 'pkcs1', false), makePem('rsa', RSA, 'pkcs1', true)],
    ['ECDSA in PEM', makePem('ec', EC, 'sec1', false), makePem('ec', EC, 'sec1', true)],
    ['RSA in PKCS#8', makePem('rsa', RSA, 'pkcs8', false), makePem('rsa', RSA, 'pkcs8', true)],
    ['ECDSA in PKCS#8', makePem('ec', EC, 'pkcs8', false), makePem('ec', EC, 'pkcs8', true)],
    [
      'Ed25519 in PKCS#8',
      makePem('ed25519', {}, 'pkcs8', false),
      makePem('ed25519', {}, 'pkcs8', true),
    ],
  ])('of %s can be signed with, and loses its passphrase', async (_name, open, locked) => {
    for (const [privateKey, passphrase] of [
      [open, ''],
      [locked, PASSPHRASE],
    ] as const) {
      const unlocked = ssh.utils.parseKey(await unlockKey({ privateKey, passphrase }))
      if (unlocked instanceof Error) throw unlocked
      const data = Buffer.from('what is signed')
      const algorithm = unlocked.type === 'ssh-rsa' ? 'sha256' : undefined
      const signature = unlocked.sign(data, algorithm) as Buffer
      expect(unlocked.verify(data, signature, algorithm)).toBe(true)
    }
    expect(await messageOf(locked)).toBe('The private key has a passphrase: enter it too')
    expect(await messageOf(locked, 'another')).toBe('The passphrase does not fit the private key')
  })

  it('is refused if it is weak, of another kind or damaged', async () => {
    expect(await messageOf(makePem('rsa', { modulusLength: 1_024 }, 'pkcs1', false))).toContain(
      '2048 bits',
    )
    expect(await messageOf(makePem('ec', { namedCurve: 'secp256k1' }, 'pkcs8', false))).toContain(
      'Only keys of',
    )
    expect(await messageOf(KEYGEN_KEYS.ed25519.open.replace(/\n.{20}/, '\nAAAA'))).toContain(
      'cannot be read',
    )
    expect(
      await messageOf('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
    ).toContain('cannot be read')
  })
})
