import { createPublicKey, generateKeyPairSync } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { KEYGEN_KEYS, makeSshKey } from '../../../testing/fixtures/ssh-keys'
import { readLoginKeys, toLoginKey } from './login-keys'

const rsaOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'pem' })

const wrapped = (text: string) => text.match(/.{1,70}/g)!.join('\n')
const toSsh2 = (publicKey: string, headers: string) =>
  `---- BEGIN SSH2 PUBLIC KEY ----\n${headers}${wrapped(publicKey.split(' ')[1]!)}\n---- END SSH2 PUBLIC KEY ----\n`

describe('the public keys of a login', () => {
  it.each(['ed25519', 'ecdsa', 'rsa'] as const)(
    'of %s are read as a line of a .pub file, with what they are called',
    async (type) => {
      const { publicKey } = await makeSshKey(type)
      expect(readLoginKeys(`${publicKey} robot@warehouse nightly\n`)).toEqual([
        `${publicKey} robot@warehouse nightly`,
      ])
      const [key] = toLoginKey(`${publicKey} robot@warehouse nightly`)
      expect(key).toEqual({
        type: publicKey.split(' ')[0],
        fingerprint: expect.stringMatching(/^SHA256:[A-Za-z\d+/]{43}$/) as string,
        comment: 'robot@warehouse nightly',
      })
    },
  )

  it('are read in RFC 4716, as PuTTY and others write it, with a comment over two lines', async () => {
    const { publicKey } = await makeSshKey('ed25519')
    const headers = 'Subject: me\nComment: "256-bit, by \\\nrobot"\n'
    expect(readLoginKeys(toSsh2(publicKey, headers))).toEqual([`${publicKey} 256-bit, by robot`])
    expect(readLoginKeys(toSsh2(publicKey, ''))).toEqual([publicKey])
  })

  it.each(['ecdsa', 'rsa'] as const)('of %s are read in PEM', async (type) => {
    const { publicKey, privateKey } = await makeSshKey(type)
    const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })
    expect(readLoginKeys(pem)).toEqual([publicKey])
  })

  it('are read several at once, in several forms, with comments and empty lines between', async () => {
    const [one, two] = [await makeSshKey('ed25519'), await makeSshKey('ecdsa')]
    const text = `# ours\r\n\r\n${one.publicKey} a\r\n${toSsh2(two.publicKey, '')}\r\n`
    expect(readLoginKeys(text)).toEqual([`${one.publicKey} a`, two.publicKey])
    expect(readLoginKeys(' \n')).toEqual([])
  })

  it.each([
    ...Object.values(KEYGEN_KEYS).flatMap(({ locked, open }) => [locked, open]),
    'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n',
    '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n',
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ])('are never private: such a text is refused, wherever it stands', async (text) => {
    const { publicKey } = await makeSshKey('ed25519')
    for (const pasted of [text, `\n  ${text}`, `${publicKey}\n${text}`]) {
      expect(() => readLoginKeys(pasted)).toThrow('This is a private key')
    }
  })

  it('are refused with options, because these would have no effect', async () => {
    const { publicKey } = await makeSshKey('ed25519')
    for (const options of ['restrict', 'from="10.0.0.1",command="ls -l"']) {
      expect(() => readLoginKeys(`${options} ${publicKey}`)).toThrow('Options before a key')
    }
  })

  it('are no certificates, keys of security keys, or old ones', async () => {
    const { publicKey } = await makeSshKey('ed25519')
    const [, base64] = publicKey.split(' ')
    expect(() => readLoginKeys(`ssh-ed25519-cert-v01@openssh.com ${base64}`)).toThrow(
      'This is a certificate',
    )
    for (const kind of ['sk-ssh-ed25519@openssh.com', 'ssh-dss']) {
      expect(() => readLoginKeys(`${kind} ${base64}`)).toThrow(
        'Only keys of Ed25519, ECDSA and RSA',
      )
    }
    const ed448 = generateKeyPairSync('ed448').publicKey.export({ type: 'spki', format: 'pem' })
    expect(() => readLoginKeys(ed448)).toThrow('Only keys of Ed25519, ECDSA and RSA')
  })

  it('of RSA have 2,048 bits at least', () => {
    expect(() => readLoginKeys(rsaOf(1_024))).toThrow('2,048 to 8,192 bits')
    expect(readLoginKeys(rsaOf(2_048))).toHaveLength(1)
  })

  it('are refused when they are damaged, cut, or named as another kind', async () => {
    const { publicKey } = await makeSshKey('ed25519')
    const [kind, base64 = ''] = publicKey.split(' ')
    const pem = rsaOf(2_048)
    for (const text of [
      'hello',
      `${kind} ${base64.slice(0, -8)}`,
      `ssh-rsa ${base64}`,
      kind!,
      pem.replace(/\n.{64}\n/, '\n'),
    ]) {
      expect(() => readLoginKeys(text)).toThrow('This is not a public key')
    }
    expect(() => readLoginKeys(pem.slice(0, 200))).toThrow('A key begins that does not end')
    expect(() => readLoginKeys(`ssh-rsa ${'A'.repeat(9_000)}`)).toThrow('A line is too long')
  })

  it('are called by a line of text without signs that are not seen', async () => {
    const { publicKey } = await makeSshKey('ed25519')
    const [stored = ''] = readLoginKeys(`${publicKey} a\u0007b\u202Ec${'d'.repeat(200)}`)
    expect(stored).toBe(`${publicKey} abc${'d'.repeat(97)}`)
  })
})
