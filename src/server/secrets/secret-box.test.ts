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
  sealAnew,
  SealError,
} from './secret-box'

const key = Buffer.alloc(32, 1)
const box = createSecretBox(key)

describe('a sealed secret', () => {
  it('can be opened for the same place, whatever its text', () => {
    for (const text of ['', 'hunter2', 'č ß 🔑 "quoted"\n', 'x'.repeat(4_096)]) {
      expect(box.open(box.seal(text, 'here'), 'here')).toBe(text)
    }
  })

  it('does not contain its text, and differs each time', () => {
    const sealed = [box.seal('hunter2', 'here'), box.seal('hunter2', 'here')]
    expect(sealed[0]).not.toBe(sealed[1])
    for (const text of sealed) {
      const bytes = Buffer.from(text.split('.')[1] ?? '', 'base64url')
      expect(text + bytes.toString('latin1')).not.toContain('hunter2')
    }
  })

  it('cannot be opened for another place, nor when a single bit was changed', () => {
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

  it('cannot be opened with another key, and names the key that is missing', () => {
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
  it('depends on the text, the purpose and the key, and names its key', () => {
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

  it('is a reproducible HMAC-SHA-256 with a key derived by HKDF', () => {
    const derived = Buffer.from(hkdfSync('sha256', key, '', 'purpose', 32))
    expect(box.sign('text', 'purpose').hmac).toBe(
      createHmac('sha256', derived).update('text').digest('hex'),
    )
    expect(box.sign('text', 'purpose').hmac).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a previous key', () => {
  const previous = createSecretBox(Buffer.alloc(32, 2))
  const both = createSecretBox(key, Buffer.alloc(32, 2))

  it('opens what it has sealed, and is told from the one that seals', () => {
    const sealed = previous.seal('hunter2', 'here')
    expect([both.open(sealed, 'here'), both.hasKeyOf(sealed), both.isCurrent(sealed)]).toEqual([
      'hunter2',
      true,
      false,
    ])
    expect(() => both.open(sealed, 'there')).toThrow(
      expect.objectContaining({ keyId: previous.keyId, isKeyMissing: false }),
    )
    expect(both.isCurrent(both.seal('hunter2', 'here'))).toBe(true)
  })

  it('is not needed for what has been sealed anew', () => {
    const old = previous.seal('hunter2', 'here')
    const anew = sealAnew(both, old, 'here')
    expect(box.open(anew, 'here')).toBe('hunter2')
    expect(sealAnew(both, anew, 'here')).toBe(anew)
    expect(() => sealAnew(box, old, 'here')).toThrow(SealError)
  })

  it('verifies its signatures, and signs nothing', () => {
    const { hmac } = previous.sign('text', 'purpose')
    expect([both, box].map((one) => one.isSigned('text', 'purpose', hmac))).toEqual([true, false])
    for (const other of ['', 'ab', hmac.slice(2), box.sign('texts', 'purpose').hmac]) {
      expect(both.isSigned('text', 'purpose', other), other).toBe(false)
    }
    expect(both.sign('text', 'purpose')).toEqual(box.sign('text', 'purpose'))
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

  const placesOf = (encryptionKey?: Buffer, encryptionKeyFile = file, previous?: Buffer) => ({
    encryptionKey,
    previousEncryptionKey: previous,
    encryptionKeyFile,
  })

  it('is generated once, readable by its owner only, and works as ENCRYPTION_KEY elsewhere', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => openSecretBox(placesOf())))
    const sealed = first!.seal('hunter2', 'here')
    expect(second!.open(sealed, 'here')).toBe('hunter2')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const given = parseEncryptionKey(await readFile(file, 'utf8'))
    expect((await openSecretBox(placesOf(given, '/nowhere'))).open(sealed, 'here')).toBe('hunter2')
  })

  it('is found in addition to the operator’s, and not generated by the search', async () => {
    expect(await findSecretBoxes(placesOf())).toEqual([])
    const [given] = await findSecretBoxes(placesOf(key))
    expect(given?.keyId).toBe(box.keyId)
    const made = await openSecretBox(placesOf())
    const found = await findSecretBoxes(placesOf(key))
    expect(found.map(({ keyId }) => keyId)).toEqual([box.keyId, made.keyId])
    await writeFile(file, 'not a key')
    await expect(findSecretBoxes(placesOf(key))).rejects.toThrow(`${file} holds no key`)
  })

  it('may be followed by another one, beside which it is accepted', async () => {
    const made = await openSecretBox(placesOf())
    const sealed = made.seal('hunter2', 'here')
    const previous = parseEncryptionKey(await readFile(file, 'utf8'))
    const next = await openSecretBox(placesOf(key, file, previous))
    expect([next.keyId, next.open(sealed, 'here')]).toEqual([box.keyId, 'hunter2'])
    const found = await findSecretBoxes(placesOf(key, '/nowhere', previous))
    expect(found.map(({ keyId }) => keyId)).toEqual([box.keyId, made.keyId])
  })

  it('is refused when the file holds something else', async () => {
    await openSecretBox(placesOf())
    await writeFile(file, 'not a key')
    await expect(openSecretBox(placesOf())).rejects.toThrow(`${file} holds no key`)
  })
})
