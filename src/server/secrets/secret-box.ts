import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

import { readOrCreateSecret, readSecretIfThere } from './secret-file'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** An HMAC-SHA-256 in hexadecimal, and the id of its key. */
type Signature = { keyId: string; hmac: string }

/** Encrypts secrets, so that whoever reads the database cannot read them. */
export type SecretBox = {
  /** The first 8 hexadecimal digits of the key's SHA-256; not secret. */
  keyId: string
  /**
   * Encrypts `text`.
   * @param place identifies where it is stored; `open` needs the same value
   */
  seal(text: string, place: string): string
  /** @throws SealError when it was sealed with another key, for another place, or was changed */
  open(sealed: string, place: string): string
  /** Whether `sealed` was encrypted with this box's key. */
  hasKeyOf(sealed: string): boolean
  /** Signs `text` with a key that is derived from this box's key for `purpose`. */
  sign(text: string, purpose: string): Signature
}

/** A sealed secret that cannot be opened. */
export class SealError extends Error {
  /** The key it was sealed with. */
  readonly keyId: string
  readonly isKeyMissing: boolean

  constructor(keyId: string, isKeyMissing: boolean) {
    super(isKeyMissing ? 'its key is missing' : 'it was changed, or belongs to another place')
    this.keyId = keyId
    this.isKeyMissing = isKeyMissing
  }
}

/** Parses a key: 32 bytes in hexadecimal, base64 or base64url; undefined for anything else. */
export function parseEncryptionKey(text: string): Buffer | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[\w+/-]{43}=?$/.test(text)) return Buffer.from(text, 'base64')
  return undefined
}

/**
 * The box with the operator's key, or else with a key that is generated and stored in `keyFile`.
 * @throws Error when the file does not contain a key
 */
export async function openSecretBox(key: Buffer | undefined, keyFile: string): Promise<SecretBox> {
  if (key) return createSecretBox(key)
  const text = await readOrCreateSecret(keyFile, () => randomBytes(KEY_BYTES).toString('base64'))
  return createSecretBox(requireKey(text, keyFile))
}

/**
 * The boxes of all available keys: the operator's and the one in `keyFile`. Generates no key.
 * @throws Error when the file does not contain a key
 */
export async function findSecretBoxes(
  key: Buffer | undefined,
  keyFile: string,
): Promise<SecretBox[]> {
  const text = await readSecretIfThere(keyFile)
  const kept = text === undefined ? undefined : requireKey(text, keyFile)
  return [key, kept].filter((known) => known !== undefined).map(createSecretBox)
}

function requireKey(text: string, keyFile: string): Buffer {
  const key = parseEncryptionKey(text.trim())
  if (!key) throw new Error(`${keyFile} holds no key: 32 bytes in base64 or hexadecimal`)
  return key
}

/** Uses AES-256-GCM. Sealed secrets are `{key id}.{nonce, tag and ciphertext in base64url}`. */
export function createSecretBox(key: Buffer): SecretBox {
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    keyId,
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, place) {
      const sealedWith = readKeyId(sealed)
      if (sealedWith !== keyId) throw new SealError(sealedWith, true)
      const bytes = Buffer.from(sealed.slice(sealedWith.length + 1), 'base64url')
      const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, BODY_AT)]
      try {
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(place)).setAuthTag(tag)
        return decipher.update(bytes.subarray(BODY_AT), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new SealError(keyId, false)
      }
    },
    hasKeyOf: (sealed) => readKeyId(sealed) === keyId,
    sign(text, purpose) {
      const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES))
      return { keyId, hmac: createHmac('sha256', derived).update(text).digest('hex') }
    },
  }
}

const BODY_AT = NONCE_BYTES + TAG_BYTES

/** The id of the key that a secret was sealed with. */
export function readKeyId(sealed: string): string {
  return sealed.split('.', 1)[0] ?? ''
}
