import { generateKeyPairSync, sign, verify } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { makeSshKey, type SshKeyType } from '../testing/fixtures/ssh-keys'
import { toBlob, toKeyObject } from './ssh-public-key'

const blobOf = async (type: SshKeyType) => {
  const { privateKey, publicKey } = await makeSshKey(type)
  return { privateKey, blob: Buffer.from(publicKey.split(' ')[1] ?? '', 'base64') }
}

describe('the public key of a program', () => {
  it.each(['ecdsa', 'rsa'] as const)(
    'of %s verifies what the private one has signed',
    async (type) => {
      const { privateKey, blob } = await blobOf(type)
      const key = toKeyObject(blob)!
      const data = Buffer.from('a session')
      const signature = sign('sha256', data, privateKey)
      expect(verify('sha256', data, key, signature)).toBe(true)
      expect(verify('sha256', Buffer.from('another'), key, signature)).toBe(false)
      expect(toBlob(key)).toEqual(blob)
    },
  )

  it('of Ed25519 is what SSH sends of it', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = toKeyObject(toBlob(publicKey)!)!
    const data = Buffer.from('a session')
    expect(verify(null, data, key, sign(null, data, privateKey))).toBe(true)
  })

  it.each(['P-384', 'P-521'])('of the curve %s is known too', (namedCurve) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve })
    expect(toKeyObject(toBlob(publicKey)!)?.equals(publicKey)).toBe(true)
  })

  it.each(['ed25519', 'ecdsa', 'rsa'] as const)(
    'of %s is none if a byte is missing, or one too many',
    async (type) => {
      const { blob } = await blobOf(type)
      expect(toKeyObject(blob)).toBeDefined()
      for (let end = 0; end < blob.length; end += 1) {
        expect(toKeyObject(blob.subarray(0, end))).toBeUndefined()
      }
      expect(toKeyObject(Buffer.concat([blob, Buffer.alloc(1)]))).toBeUndefined()
      expect(toKeyObject(Buffer.concat([blob, Buffer.alloc(4)]))).toBeUndefined()
    },
  )

  it('is none if its point is not on the curve, or its curve is another than its name says', async () => {
    const { blob } = await blobOf('ecdsa')
    const elsewhere = Buffer.from(blob)
    elsewhere[elsewhere.length - 1]! ^= 1
    expect(toKeyObject(elsewhere)).toBeUndefined()
    const renamed = Buffer.from(
      blob.toString('latin1').replace('sha2-nistp256', 'sha2-nistp384'),
      'latin1',
    )
    expect(toKeyObject(renamed)).toBeUndefined()
  })

  it('of another kind is none', () => {
    const { publicKey } = generateKeyPairSync('ed448')
    expect(toBlob(publicKey)).toBeUndefined()
  })
})
