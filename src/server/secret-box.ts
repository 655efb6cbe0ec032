import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

import { readOrCreateSecret } from './secret-file'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Keeps secrets so that the database alone gives none away. */
export type SecretBox = {
  /**
   * Encrypts `text` for one place only.
   * @param place where it belongs; it opens there and nowhere else
   */
  seal(text: string, place: string): string
  /** @throws SealError when it was sealed with another key, for another place, or was changed */
  open(sealed: string, place: string): string
  /** Whether this box has the key that `sealed` was made with. */
  hasKeyOf(sealed: string): boolean
}

/** A sealed secret that cannot be opened. */
export class SealError extends Error {
  /** Of the key it was sealed with. */
  readonly keyId: string
  readonly isKeyMissing: boolean

  constructor(keyId: string, isKeyMissing: boolean) {
    super(isKeyMissing ? 'its key is missing' : 'it was changed, or belongs to another place')
    this.keyId = keyId
    this.isKeyMissing = isKeyMissing
  }
}

/** A key as text: 32 bytes in hexadecimal or base64. undefined for anything else. */
export function parseEncryptionKey(text: string): Buffer | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[\w+/-]{43}=?$/.test(text)) return Buffer.from(text, 'base64')
  return undefined
}

/**
 * The box with the operator's key, or else with one of its own that is kept in `keyFile`.
 * @throws Error when the file holds no key
 */
export async function openSecretBox(key: Buffer | undefined, keyFile: string): Promise<SecretBox> {
  if (key) return createSecretBox(key)
  const text = await readOrCreateSecret(keyFile, () => randomBytes(KEY_BYTES).toString('base64'))
  const kept = parseEncryptionKey(text.trim())
  if (!kept) throw new Error(`${keyFile} holds no key: 32 bytes in base64 or hexadecimal`)
  return createSecretBox(kept)
}

/** AES-256-GCM. A sealed secret reads `{id of its key}.{nonce, tag and text in base64url}`. */
export function createSecretBox(key: Buffer): SecretBox {
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
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
  }
}

const BODY_AT = NONCE_BYTES + TAG_BYTES

/** Which key a sealed secret was made with. */
export function readKeyId(sealed: string): string {
  return sealed.split('.', 1)[0] ?? ''
}
