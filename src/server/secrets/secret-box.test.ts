import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createSecretBox,
  findSecretBoxes,
  openSecretBox,
  parseEncryptionKey,
  SealError,
} from './secret-box'

const key = Buffer.alloc(32, 1)
const box = createSecretBox(key)

describe('a sealed secret', () => {
  it('opens where it belongs, whatever characters it has', () => {
    for (const text of ['', 'hunter2', 'č ß 🔑 "quoted"\n', 'x'.repeat(4_096)]) {
      expect(box.open(box.seal(text, 'here'), 'here')).toBe(text)
    }
  })

  it('shows nothing of itself, and is never the same twice', () => {
    const sealed = [box.seal('hunter2', 'here'), box.seal('hunter2', 'here')]
    expect(sealed[0]).not.toBe(sealed[1])
    for (const text of sealed) {
      const bytes = Buffer.from(text.split('.')[1] ?? '', 'base64url')
      expect(text + bytes.toString('latin1')).not.toContain('hunter2')
    }
  })

  it('opens in no other place, and not when a single bit was changed', () => {
    const sealed = box.seal('hunter2', 'here')
    const [keyId = '', body = ''] = sealed.split('.')
    expect(() => box.open(sealed, 'there')).toThrow(SealError)
    const bytes = Buffer.from(body, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      const forged = `${keyId}.${changed.toString('base64url')}`
      expect(() => box.open(forged, 'here'), `byte ${at}`).toThrow(SealError)
    }
    for (const cut of ['', '.', keyId, `${keyId}.`, `${keyId}.AAAA`]) {
      expect(() => box.open(cut, 'here'), cut).toThrow(SealError)
    }
  })

  it('names the key that it needs when another one is there', () => {
    const other = createSecretBox(Buffer.alloc(32, 2))
    const sealed = box.seal('hunter2', 'here')
    expect([box.hasKeyOf(sealed), other.hasKeyOf(sealed)]).toEqual([true, false])
    expect(() => other.open(sealed, 'here')).toThrow(
      expect.objectContaining({ keyId: sealed.split('.')[0], isKeyMissing: true }),
    )
    expect(sealed).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
  })
})

describe('a signature', () => {
  it('is another for another text, another purpose and another key, and names its key', () => {
    const other = createSecretBox(Buffer.alloc(32, 2))
    const signatures = [
      box.sign('text', 'one purpose'),
      box.sign('texts', 'one purpose'),
      box.sign('text', 'another purpose'),
      other.sign('text', 'one purpose'),
    ]
    expect(new Set(signatures.map(({ hmac }) => hmac)).size).toBe(4)
    expect(signatures.map(({ keyId }) => keyId)).toEqual([
      ...Array<string>(3).fill(box.keyId),
      other.keyId,
    ])
    expect(box.seal('x', 'here').startsWith(`${box.keyId}.`)).toBe(true)
  })

  it('is the HMAC under a key derived with HKDF, the same for ever', () => {
    const derived = Buffer.from(hkdfSync('sha256', key, '', 'purpose', 32))
    expect(box.sign('text', 'purpose').hmac).toBe(
      createHmac('sha256', derived).update('text').digest('hex'),
    )
    expect(box.sign('text', 'purpose').hmac).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a key', () => {
  it('is 32 bytes in hexadecimal or base64', () => {
    const bytes = randomBytes(32)
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(parseEncryptionKey(bytes.toString(form))).toEqual(bytes)
    }
    for (const text of ['', 'short', 'x'.repeat(32), 'f'.repeat(63), `${'A'.repeat(43)}==`]) {
      expect(parseEncryptionKey(text), text).toBeUndefined()
    }
  })
})

describe('the key of an installation without ENCRYPTION_KEY', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stockbridge-key-'))
    file = join(folder, 'data', 'encryption-key')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is made once, for its owner alone, and can be given as ENCRYPTION_KEY elsewhere', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => openSecretBox(undefined, file)))
    const sealed = first!.seal('hunter2', 'here')
    expect(second!.open(sealed, 'here')).toBe('hunter2')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const given = parseEncryptionKey(await readFile(file, 'utf8'))
    expect((await openSecretBox(given, '/nowhere')).open(sealed, 'here')).toBe('hunter2')
  })

  it('is found beside the operator’s, and not made by looking for it', async () => {
    expect(await findSecretBoxes(undefined, file)).toEqual([])
    const [given] = await findSecretBoxes(key, file)
    expect(given?.keyId).toBe(box.keyId)
    const made = await openSecretBox(undefined, file)
    const found = await findSecretBoxes(key, file)
    expect(found.map(({ keyId }) => keyId)).toEqual([box.keyId, made.keyId])
    await writeFile(file, 'not a key')
    await expect(findSecretBoxes(key, file)).rejects.toThrow(`${file} holds no key`)
  })

  it('is refused when the file holds something else', async () => {
    await openSecretBox(undefined, file)
    await writeFile(file, 'not a key')
    await expect(openSecretBox(undefined, file)).rejects.toThrow(`${file} holds no key`)
  })
})
