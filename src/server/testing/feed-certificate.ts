import { generateKeyPairSync, sign } from 'node:crypto'

/** ASN.1: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)

/** A fresh key with a certificate for `name` that only itself vouches for. */
export function createSelfSigned(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
  const commonName = sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))
  const holder = sequence(der(0x31, commonName))
  const times = ['20200101000000Z', '21200101000000Z'].map((time) => der(0x18, Buffer.from(time)))
  const content = sequence(
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    holder,
    sequence(...times),
    holder,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = sequence(content, ecdsaWithSha256, bits(signature)).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  }
}
