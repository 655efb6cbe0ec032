import { afterEach, describe, expect, it } from 'vitest'

import { createAdmin, createSupplierUser, PASSWORD } from '../../testing/fixtures/factories'
import { openTestApp, type TestApp } from '../../testing/stages/test-app'

let testApp: TestApp
afterEach(() => testApp.close())

const BEHIND_PROXY = { publicUrl: 'https://stock.example', trustProxy: ['10.0.0.0/8'] }
const FROM_PROXY = {
  remoteAddress: '10.0.0.7',
  headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': '192.0.2.7' },
}

/** Parses the one cookie that a response sets. */
function readCookie(header: string | string[] | undefined) {
  const cookies = [header ?? []].flat()
  expect(cookies).toHaveLength(1)
  const [pair = '', ...attributes] = cookies[0]!.split('; ')
  const [name = '', value = ''] = pair.split('=')
  const expires = attributes.find((text) => text.startsWith('Expires='))?.slice('Expires='.length)
  return {
    name,
    value,
    attributes: attributes.filter((text) => !text.startsWith('Expires=')).toSorted(),
    expiresAt: expires === undefined ? undefined : Date.parse(expires),
  }
}

async function login(user: { username: string }, connection: object = {}) {
  const payload = { username: user.username, password: PASSWORD }
  const response = await testApp.app.inject({
    method: 'POST',
    url: '/api/login',
    payload,
    ...connection,
  })
  expect(response.statusCode).toBe(200)
  return readCookie(response.headers['set-cookie'])
}

describe('the session cookie', () => {
  it('is set once when a session replaces another', async () => {
    testApp = await openTestApp()
    const supplier = await createSupplierUser(testApp.deps)
    const { name, value } = await login(supplier)
    const next = await login(supplier, { headers: { cookie: `${name}=${value}` } })
    expect(next.value).not.toBe(value)
  })

  // A late response could otherwise clear the new cookie that the browser has got meanwhile.
  it('is not cleared in the response to a request whose session is over', async () => {
    testApp = await openTestApp()
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    await testApp.deps.db.deleteFrom('sessions').execute()
    for (const url of ['/api/user', '/trpc/session.current', '/api/nothing']) {
      const response = await client.request('GET', url)
      expect(response.headers).not.toHaveProperty('set-cookie')
    }
  })

  it('is HttpOnly and SameSite=Lax', async () => {
    testApp = await openTestApp()
    const cookie = await login(await createSupplierUser(testApp.deps))
    expect(cookie.name).toBe('stockbridge')
    expect(cookie.attributes).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
  })

  it('is Secure and bound to the host on https', async () => {
    testApp = await openTestApp(BEHIND_PROXY)
    const cookie = await login(await createSupplierUser(testApp.deps), FROM_PROXY)
    expect(cookie.name).toBe('__Host-stockbridge')
    expect(cookie.attributes).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
  })

  it('is Secure on https even when the proxy is not trusted', async () => {
    testApp = await openTestApp({ publicUrl: 'https://stock.example' })
    const cookie = await login(await createSupplierUser(testApp.deps))
    expect(cookie.attributes).toContain('Secure')
  })

  it('is not Secure because of a forwarded scheme from an untrusted peer', async () => {
    testApp = await openTestApp({ trustProxy: ['10.0.0.0/8'] })
    const stranger = { ...FROM_PROXY, remoteAddress: '203.0.113.9' }
    const cookie = await login(await createSupplierUser(testApp.deps), stranger)
    expect(cookie.attributes).not.toContain('Secure')
  })

  it.each([
    ['is not Secure when the public URL is http', { publicUrl: 'http://stock.example' }, false],
    ['is Secure by the scheme that a trusted proxy forwards, without a public URL', {}, true],
  ])('%s', async (_what, config, isSecure) => {
    testApp = await openTestApp({ ...config, trustProxy: ['10.0.0.0/8'] })
    const cookie = await login(await createSupplierUser(testApp.deps), FROM_PROXY)
    expect([cookie.name, cookie.attributes.includes('Secure')]).toEqual(['stockbridge', isSecure])
  })

  it('is valid behind a proxy, and invalid when tampered with', async () => {
    testApp = await openTestApp(BEHIND_PROXY)
    const { name, value } = await login(await createSupplierUser(testApp.deps), FROM_PROXY)
    const statusWith = async (text: string) => {
      const headers = { ...FROM_PROXY.headers, cookie: `${name}=${text}` }
      const request = { ...FROM_PROXY, headers, method: 'GET', url: '/api/user' } as const
      return (await testApp.app.inject(request)).statusCode
    }
    expect(await statusWith(value)).toBe(200)
    const other = value.startsWith('a') ? 'b' : 'a'
    expect(await statusWith(`${other}${value.slice(1)}`)).toBe(401)
    expect(await statusWith(decodeURIComponent(value).split('.')[0]!)).toBe(401)
  })

  it.each([
    ['a supplier', createSupplierUser, 7 * 24],
    ['an administrator', createAdmin, 24],
  ])('is persistent for the maximum session lifetime of %s', async (_who, create, hours) => {
    testApp = await openTestApp()
    const user = await create(testApp.deps)
    const earliest = Date.now() + hours * 3_600_000
    const { expiresAt } = await login(user)
    const latest = Date.now() + hours * 3_600_000
    // The attribute has a resolution of one second.
    expect(expiresAt).toBeGreaterThan(earliest - 1_000)
    expect(expiresAt).toBeLessThanOrEqual(latest)
  })

  it.each([
    ['http', {}, {}],
    ['https', BEHIND_PROXY, FROM_PROXY],
  ])(
    'is cleared at logout with the attributes that browsers require on %s',
    async (_scheme, config, connection) => {
      testApp = await openTestApp(config)
      const { name, value } = await login(await createSupplierUser(testApp.deps), connection)
      const headers = { ...FROM_PROXY.headers, cookie: `${name}=${value}` }
      const response = await testApp.app.inject({
        ...connection,
        method: 'POST',
        url: '/api/logout',
        headers,
      })
      const cleared = readCookie(response.headers['set-cookie'])
      expect(cleared).toMatchObject({ name, value: '' })
      expect(cleared.expiresAt).toBeLessThan(Date.now())
      expect(cleared.attributes).toContain('Path=/')
      // Without Secure, a browser would keep the `__Host-` cookie.
      expect(cleared.attributes.includes('Secure')).toBe(name.startsWith('__Host-'))
    },
  )
})
