import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { writeClientFiles } from '../../testing/fixtures/client-files'
import { createSupplierUser, PASSWORD } from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

let clientDir: string
let testApp: TestApp
let client: Client
let username: string

beforeEach(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeClientFiles(clientDir)
  testApp = await openTestApp({}, {}, { clientDir })
  client = testApp.client()
  username = (await createSupplierUser(testApp.deps)).username
})
afterEach(async () => {
  await testApp.close()
  await rm(clientDir, { recursive: true })
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends the form, as a browser without scripts does. */
const send = (fields: Record<string, string>, path = '/auth', headers = {}) =>
  client.request('POST', path, new URLSearchParams(fields).toString(), { ...FORM, ...headers })

describe('the form of /auth', () => {
  it('signs in, and leads to the page that leads on', async () => {
    const { status, headers } = await send(
      { username, password: PASSWORD },
      '/auth?next=%2Fsupplier',
    )
    expect([status, headers.location]).toEqual([303, '/auth?next=%2Fsupplier'])
    expect((await client.request('GET', '/api/user')).body).toMatchObject({ username })
  })

  it('is shown again with the reason when it is refused, without the password', async () => {
    const { status, text, headers } = await send({ username, password: 'not-this-one' })
    expect([status, headers['cache-control']]).toEqual([401, 'no-store'])
    expect(text).toContain(`value="${username}"`)
    expect(text).toContain('Login failed: Invalid username or password')
    expect(text).not.toContain('not-this-one')
    expect((await client.request('GET', '/api/user')).status).toBe(401)
  })

  it('repeats nothing that a browser would run', async () => {
    const { text } = await send({
      username: '"><script>%REASON%%APP_NAME%</script>',
      password: 'x',
    })
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;%REASON%%APP_NAME%&lt;/script&gt;"')
  })

  it('has the limits of the call', async () => {
    const guess = () => send({ username, password: 'wrong' })
    for (let count = 0; count < 6; count++) await guess()
    const { status, headers, text } = await guess()
    expect([status, headers['retry-after']]).toEqual([429, expect.anything()])
    expect(text).toContain('Login failed: ')
    const { status: ofCall } = await client.request('POST', '/api/login', {
      username,
      password: PASSWORD,
    })
    expect(ofCall).toBe(429)
  })

  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
  ])('is not taken with %j', async (headers, expected) => {
    expect((await send({ username, password: PASSWORD }, '/auth', headers)).status).toBe(expected)
    expect(client.cookie).toBeUndefined()
  })

  it.each([
    ['', 400],
    ['username=a&username=b&password=', 400],
    [`username=${'x'.repeat(5_000)}`, 413],
    ['username[$ne]=1&__proto__=2', 400],
  ])('is refused when it is %s', async (body, expected) => {
    expect((await client.request('POST', '/auth', body, FORM)).status).toBe(expected)
  })

  it('is answered with a small page where another server has the client', async () => {
    const alone = await openTestApp()
    const { status, text } = await alone
      .client()
      .request('POST', '/auth', 'username=nobody&password=x', FORM)
    expect(status).toBe(401)
    expect(text).toContain('<h1>Login failed</h1>')
    expect(text).toContain('Invalid username or password')
    await alone.close()
  })
})

describe('the page of /auth', () => {
  it('has the form for whoever is not signed in, and not for a registration', async () => {
    expect((await client.request('GET', '/auth')).text).toContain('<form>')
    expect((await client.request('GET', '/auth?mode=register')).text).not.toContain('<form>')
    await send({ username, password: PASSWORD })
    expect((await client.request('GET', '/auth')).text).not.toContain('<form>')
  })
})
