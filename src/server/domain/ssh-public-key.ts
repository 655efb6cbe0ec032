import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'

const CURVES: Record<string, string> = {
  nistp256: 'P-256',
  nistp384: 'P-384',
  nistp521: 'P-521',
}

/** The key to verify signatures with; undefined for bytes that are not exactly a key of a known kind. */
export function toKeyObject(blob: Buffer): KeyObject | undefined {
  const [name, ...values] = readFields(blob) ?? []
  const jwk = name && toJwk(name.toString('latin1'), values)
  if (!jwk) return undefined
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    // One key has one form only, so that it cannot be added twice.
    return toBlob(key)?.equals(blob) ? key : undefined
  } catch {
    return undefined
  }
}

function toJwk(name: string, values: Buffer[]): JsonWebKeyInput['key'] | undefined {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0), ...others] = values
  const [one, two] = [first.toString('base64url'), second.toString('base64url')]
  if (others.length > 0) return undefined
  if (name === 'ssh-rsa') return { kty: 'RSA', e: one, n: two }
  if (name === 'ssh-ed25519') {
    return values.length === 1 ? { kty: 'OKP', crv: 'Ed25519', x: one } : undefined
  }
  const curve = first.toString('latin1')
  const crv = CURVES[curve]
  const half = (second.length - 1) / 2
  if (name !== `ecdsa-sha2-${curve}` || crv === undefined || second[0] !== UNCOMPRESSED) {
    return undefined
  }
  return {
    kty: 'EC',
    crv,
    x: second.toString('base64url', 1, 1 + half),
    y: second.toString('base64url', 1 + half),
  }
}

const UNCOMPRESSED = 4

/** The key as SSH sends it; undefined for another kind. */
export function toBlob(key: KeyObject): Buffer | undefined {
  const { kty, crv = '', x = '', y = '', e = '', n = '' } = key.export({ format: 'jwk' })
  if (kty === 'OKP' && crv === 'Ed25519') return toFields(Buffer.from('ssh-ed25519'), decode(x))
  if (kty === 'RSA') return toFields(Buffer.from('ssh-rsa'), toNumber(e), toNumber(n))
  const curve = Object.keys(CURVES).find((name) => CURVES[name] === crv)
  if (kty !== 'EC' || curve === undefined) return undefined
  const point = Buffer.concat([Buffer.from([UNCOMPRESSED]), decode(x), decode(y)])
  return toFields(Buffer.from(`ecdsa-sha2-${curve}`), Buffer.from(curve), point)
}

const decode = (text: string) => Buffer.from(text, 'base64url')

/** A number that is not negative: a zero stands before a first bit that is set. */
function toNumber(text: string): Buffer {
  const bytes = decode(text)
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes
}

function toFields(...values: Buffer[]): Buffer {
  return Buffer.concat(
    values.flatMap((value) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(value.length)
      return [length, value]
    }),
  )
}

const MAX_FIELDS = 4

/** The fields of a key, each after its length; undefined unless they end where the bytes do. */
function readFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let offset = 0
  while (offset < blob.length && fields.length < MAX_FIELDS) {
    if (offset + 4 > blob.length) return undefined
    const end = offset + 4 + blob.readUInt32BE(offset)
    if (end > blob.length) return undefined
    fields.push(blob.subarray(offset + 4, end))
    offset = end
  }
  return offset === blob.length ? fields : undefined
}
