import { createHash } from 'node:crypto'

import { afterEach, describe, expect, it } from 'vitest'

import { COLOR_SCHEME_SCRIPT } from '../../../shared/color-scheme'
import { createSupplierUser } from '../../testing/fixtures/factories'
import { openTestApp, type TestApp } from '../../testing/stages/test-app'

let testApp: TestApp
afterEach(() => testApp.close())

const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  `script-src 'self' 'sha256-${createHash('sha256').update(COLOR_SCHEME_SCRIPT).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
]

describe('every response', () => {
  it.each([
    ['a success', 'GET', '/api/user'],
    ['a success over tRPC', 'GET', '/trpc/session.current'],
    ['a refusal', 'GET', '/api/suppliers'],
    ['a refusal over tRPC', 'GET', '/trpc/suppliers.page'],
    ['an unknown path', 'GET', '/api/nothing'],
    ['a body that is refused', 'POST', '/api/login'],
    ['the health', 'GET', '/healthz'],
  ])('has the security headers and is never cached: %s', async (_what, method, url) => {
    testApp = await openTestApp()
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const { headers } = await client.request(method, url, method === 'POST' ? '{' : undefined)
    expect(headers).toMatchObject({
      'content-security-policy': POLICY.join(';'),
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  it('enforces https when the public URL uses it', async () => {
    testApp = await openTestApp({ publicUrl: 'https://stock.example' })
    const { headers } = await testApp.client().request('GET', '/api/user')
    expect(headers['content-security-policy']).toBe(
      [...POLICY, 'upgrade-insecure-requests'].join(';'),
    )
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/)
  })
})
