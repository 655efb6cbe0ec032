import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** Encodes an ASN.1 value: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)

const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))

function nameOf(commonName: string): Buffer {
  const attribute = sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName)))
  return sequence(der(0x31, attribute))
}

type Holder = { name: string; publicKey: KeyObject; endsIn?: number }

/** A certificate for `holder`, valid from 2020 on, signed by `issuer`. */
function certify(holder: Holder, issuer: { name: string; privateKey: KeyObject }): string {
  const times = [2020, holder.endsIn ?? 2120].map((year) =>
    der(0x18, Buffer.from(`${year}0101000000Z`)),
  )
  const content = sequence(
    der(0x02, Buffer.from([holder.name.length])),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(...times),
    nameOf(holder.name),
    holder.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, issuer.privateKey)
  const certificate = sequence(content, ECDSA_WITH_SHA256, bits(signature)).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`
}

const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' })

type Certified = { key: string; cert: string }

/** A new key with a self-signed certificate for `name`. */
export function createSelfSigned(name: string): Certified {
  const { publicKey, privateKey } = makeKeys()
  return { key: toPem(privateKey), cert: certify({ name, publicKey }, { name, privateKey }) }
}

/** A certificate authority that issues server certificates. */
export function createAuthority(): {
  cert: string
  issue(name: string, endsIn?: number): Certified
} {
  const name = 'Test Authority'
  const { publicKey, privateKey } = makeKeys()
  return {
    cert: certify({ name, publicKey }, { name, privateKey }),
    issue(server, endsIn) {
      const keys = makeKeys()
      const holder = { name: server, publicKey: keys.publicKey, ...(endsIn && { endsIn }) }
      return { key: toPem(keys.privateKey), cert: certify(holder, { name, privateKey }) }
    },
  }
}
