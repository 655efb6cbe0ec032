import { expect, it } from 'vitest'

import type { Deps } from '../../../domain/deps'
import { createSecretBox } from '../../../secrets/secret-box'
import { createUnsubscribeToken, isUnsubscribeTokenOf } from './unsubscribe-token'

const [old, key] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const withKeys = (...keys: [Buffer, Buffer?]) => ({ secrets: createSecretBox(...keys) }) as Deps
const recipient = { userId: 7, address: 'shop@example.com' }

it('keeps the links of sent mails working while the key that has signed them is accepted', () => {
  const token = createUnsubscribeToken(withKeys(old), recipient)
  const accepts = (deps: Deps, of = recipient) => isUnsubscribeTokenOf(deps, token, of)
  expect(accepts(withKeys(key, old))).toBe(true)
  expect(accepts(withKeys(key, old), { ...recipient, userId: 8 })).toBe(false)
  expect(accepts(withKeys(key))).toBe(false)
  expect(isUnsubscribeTokenOf(withKeys(old), '7-0', recipient)).toBe(false)
})
