import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

import { readOrCreateSecret, readSecretIfThere } from './secret-file'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SecretBox = ReturnType<typeof createSecretBox>

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

/** The operator's key and the one before it, if there are any, and where a generated key is stored. */
export type KeyPlaces = {
  encryptionKey: Buffer | undefined
  previousEncryptionKey: Buffer | undefined
  encryptionKeyFile: string
}

/**
 * The box with the operator's key, or else with a key that is generated and stored in a file. It also opens
 * what the previous key has sealed.
 * @throws Error when the file does not contain a key
 */
export async function openSecretBox(places: KeyPlaces): Promise<SecretBox> {
  const { encryptionKey, previousEncryptionKey: previous, encryptionKeyFile: file } = places
  if (encryptionKey) return createSecretBox(encryptionKey, previous)
  const text = await readOrCreateSecret(file, () => randomBytes(KEY_BYTES).toString('base64'))
  return createSecretBox(requireKey(text, file), previous)
}

/**
 * The boxes of all available keys: the operator's, the one before it and the one in the file. Generates no key.
 * @throws Error when the file does not contain a key
 */
export async function findSecretBoxes(places: KeyPlaces): Promise<SecretBox[]> {
  const { encryptionKey, previousEncryptionKey, encryptionKeyFile: file } = places
  const text = await readSecretIfThere(file)
  const kept = text === undefined ? undefined : requireKey(text, file)
  return [encryptionKey, previousEncryptionKey, kept]
    .filter((key) => key !== undefined)
    .map((key) => createSecretBox(key))
}

function requireKey(text: string, keyFile: string): Buffer {
  const key = parseEncryptionKey(text.trim())
  if (!key) throw new Error(`${keyFile} holds no key: 32 bytes in base64 or hexadecimal`)
  return key
}

/**
 * Encrypts secrets, so that whoever reads the database cannot read them. Uses AES-256-GCM. Sealed secrets are `{key id}.{nonce, tag and ciphertext in base64url}`.
 * @param previous a key that is still accepted
 */
export function createSecretBox(key: Buffer, previous?: Buffer) {
  const keyId = toKeyId(key)
  const keys = new Map([
    ...(previous ? [[toKeyId(previous), previous] as const] : []),
    [keyId, key],
  ])
  return {
    /** Of the key that encrypts: the first 8 hexadecimal digits of its SHA-256; not secret. */
    keyId,
    /**
     * Encrypts `text`.
     * @param place identifies where it is stored; `open` needs the same value
     */
    seal(text: string, place: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    /** @throws SealError when it was sealed with an unknown key, for another place, or was changed */
    open(sealed: string, place: string): string {
      const sealedWith = readKeyId(sealed)
      const itsKey = keys.get(sealedWith)
      if (!itsKey) throw new SealError(sealedWith, true)
      const bytes = Buffer.from(sealed.slice(sealedWith.length + 1), 'base64url')
      const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, BODY_AT)]
      try {
        const decipher = createDecipheriv(CIPHER, itsKey, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(place)).setAuthTag(tag)
        return decipher.update(bytes.subarray(BODY_AT), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new SealError(sealedWith, false)
      }
    },
    /** Whether `sealed` was encrypted with this box's key or a previous one. */
    hasKeyOf: (sealed: string) => keys.has(readKeyId(sealed)),
    /** Whether `sealed` was encrypted with the key that encrypts now. */
    isCurrent: (sealed: string) => readKeyId(sealed) === keyId,
    /** Signs `text` with a key that is derived from this box's key for `purpose`: HMAC-SHA-256 in hexadecimal. */
    sign: (text: string, purpose: string) => ({
      keyId,
      hmac: signWith(key, text, purpose).toString('hex'),
    }),
    /**
     * Whether `hmac`, 64 hexadecimal digits or as many as `bytes` of it have, signs `text` with this box's key or a
     * previous one.
     */
    isSigned(text: string, purpose: string, hmac: string, bytes?: number): boolean {
      const given = Buffer.from(hmac, 'hex')
      return [...keys.values()].some((known) => {
        const signed = signWith(known, text, purpose).subarray(0, bytes)
        return signed.length === given.length && timingSafeEqual(signed, given)
      })
    },
  }
}

/**
 * Seals a secret with the current key if a previous one has sealed it.
 * @throws SealError when it cannot be opened
 */
export function sealAnew(secrets: SecretBox, sealed: string, place: string): string {
  return secrets.isCurrent(sealed) ? sealed : secrets.seal(secrets.open(sealed, place), place)
}

const toKeyId = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8)

function signWith(key: Buffer, text: string, purpose: string): Buffer {
  const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES))
  return createHmac('sha256', derived).update(text).digest()
}

const BODY_AT = NONCE_BYTES + TAG_BYTES

/** The id of the key that a secret was sealed with. */
export function readKeyId(sealed: string): string {
  return sealed.split('.', 1)[0] ?? ''
}
