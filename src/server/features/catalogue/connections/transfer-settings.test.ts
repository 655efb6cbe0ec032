import { expect, it } from 'vitest'

import { makeSshKey } from '../../../testing/fixtures/ssh-keys'
import { toTransfer } from './transfer-settings'

const keysOf = (...hostKeys: string[]) =>
  toTransfer('sftp://a/b', { hostKeys }, { known: undefined, fieldPrefix: '' })?.hostKeys

it('a line of known hosts is a key of a server, unless it says that the key is revoked or signs others', async () => {
  const { publicKey } = await makeSshKey('ed25519')
  const [key] = keysOf(publicKey) ?? []
  expect(key).toMatch(/^ssh-ed25519 SHA256:/)
  expect(keysOf(`files.example ${publicKey}`, publicKey)).toEqual([key])
  for (const mark of ['@revoked', '@cert-authority']) {
    expect(() => keysOf(`${mark} files.example ${publicKey}`)).toThrow('Enter a whole key')
  }
  for (const cut of [4, 8, 40]) {
    expect(() => keysOf(publicKey.slice(0, -cut))).toThrow('Enter a whole key')
  }
})
