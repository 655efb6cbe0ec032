import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import {
  PERSON,
  startOidcIssuer,
  type Answer,
  type OidcIssuer,
} from '../../testing/servers/oidc-issuer'
import {
  beginSignIn,
  endSignIn,
  postedIdentity,
  postIdentity,
  readPopupPage,
} from '../../testing/stages/google-window'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

const UNVERIFIED = 'The answer of the identity provider could not be verified.'
const REFUSED = 'The identity provider refused the sign-in.'
const UNREACHABLE = 'The identity provider could not be reached. Try again in a moment.'

let issuer: OidcIssuer
let testApp: TestApp
let client: Client

beforeAll(async () => {
  issuer = await startOidcIssuer()
})
afterAll(() => issuer.close())
beforeEach(async () => {
  testApp = await openTestApp({ oidc: issuer.settings })
  client = testApp.client()
})
afterEach(async () => {
  issuer.failWith(undefined)
  await testApp.close()
})

const listUsers = () => testApp.deps.db.selectFrom('users').selectAll().execute()
const begin = (browser = client, attempt?: string) => beginSignIn(browser, attempt)
const comeBack = (url: URL, browser = client) => endSignIn(browser, url)
const post = (uid?: string, browser = client) => postIdentity(browser, uid)

async function signIn(answer?: Answer) {
  await comeBack(issuer.answer(await begin(), answer))
  const { sub = PERSON.sub } = answer?.claims ?? {}
  return post(sub as string)
}

describe('signing in with Google', () => {
  it('signs a new user in as a supplier, whatever role the body contains', async () => {
    await comeBack(issuer.answer(await begin()))
    const body = { ...postedIdentity, role: 'SUPER_ADMIN', maxRetailers: 1_000_000 }
    const response = await client.request('POST', '/api/auth/google', body)
    expect(response.status, response.text).toBe(200)
    expect(response.body).toMatchObject({
      username: 'nora.beck',
      role: 'SUPPLIER',
      maxRetailers: 10,
      contactEmail: PERSON.email,
      displayName: PERSON.name,
      photoURL: PERSON.picture,
    })
    expect((await client.request('GET', '/api/user')).body).toEqual(response.body)
  })

  it('reports the identity, with the attempt’s name, to the page that opened the window', async () => {
    const { status, report } = await comeBack(issuer.answer(await begin()))
    expect(status).toBe(200)
    expect(report).toEqual({
      attempt: 'attempt-1',
      identity: {
        uid: PERSON.sub,
        email: PERSON.email,
        displayName: PERSON.name,
        photoURL: PERSON.picture,
      },
    })
  })

  it('finds the same user again from another browser and with a changed email address', async () => {
    const first = await signIn()
    client = testApp.client()
    const second = await signIn({ claims: { email: 'moved@elsewhere.example', name: 'N. B.' } })
    expect(second.body).toEqual(first.body)
    expect(await listUsers()).toHaveLength(1)
  })

  it('works over tRPC as well', async () => {
    await comeBack(issuer.answer(await begin()))
    const response = await client.call('mutation', 'session.google', { uid: PERSON.sub })
    expect(response.body).toMatchObject({ result: { data: { username: 'nora.beck' } } })
    expect((await client.request('GET', '/api/user')).status).toBe(200)
  })

  it('reads the profile from the userinfo endpoint when the token lacks it', async () => {
    const { sub: _, ...profile } = PERSON
    const claims = {
      email: undefined,
      email_verified: undefined,
      name: undefined,
      picture: undefined,
    }
    const { status, body } = await signIn({ claims, userinfo: profile })
    expect([status, body]).toMatchObject([200, { username: 'nora.beck', displayName: 'Nora Beck' }])
  })

  it('drops an invalid name and picture', async () => {
    const { body } = await signIn({ claims: { name: '\u202Egnp', picture: 'javascript:alert(1)' } })
    expect(body).toMatchObject({ displayName: null, photoURL: null })
  })
})

describe('the redirect to the provider', () => {
  it('requests a code with PKCE, and a new state and nonce each time', async () => {
    const [one, two] = [new URL(await begin()), new URL(await begin())]
    expect(one.origin + one.pathname).toBe(`${issuer.settings.issuer}/authorize`)
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      client_id: issuer.settings.clientId,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost/api/auth/google/callback',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name))
    }
  })

  it('returns to the public URL, whatever host a proxy forwards', async () => {
    const publicUrl = 'https://stock.example/'
    const config = { oidc: issuer.settings, publicUrl, trustProxy: ['127.0.0.1'] }
    const behindProxy = await openTestApp(config)
    const headers = { 'x-forwarded-host': 'b.example', 'x-forwarded-proto': 'http' }
    const path = '/api/auth/google/start?attempt=one'
    const response = await behindProxy.client().request('GET', path, undefined, headers)
    const location = new URL(String(response.headers.location))
    expect(location.searchParams.get('redirect_uri')).toBe(
      'https://stock.example/api/auth/google/callback',
    )
    await behindProxy.close()
  })

  it('returns 501 at every step when no provider is configured', async () => {
    const without = await openTestApp()
    const message = 'No identity provider is configured on this server.'
    const start = readPopupPage(
      await without.client().request('GET', '/api/auth/google/start?attempt=one'),
    )
    expect(start).toEqual({ status: 501, report: { attempt: 'one', error: message } })
    const callback = readPopupPage(
      await without.client().request('GET', '/api/auth/google/callback'),
    )
    expect(callback).toEqual({ status: 501, report: { attempt: '', error: message } })
    const posted = await post(PERSON.sub, without.client())
    expect([posted.status, posted.body]).toEqual([501, { message }])
    const info = await without.client().call('query', 'app.info')
    expect(info.body).toMatchObject({ result: { data: { isGoogleConfigured: false } } })
    await without.close()
  })

  it('returns 503 while the provider is unreachable, and works afterwards', async () => {
    issuer.failWith(503)
    const failed = readPopupPage(await client.request('GET', '/api/auth/google/start?attempt=one'))
    expect(failed).toEqual({ status: 503, report: { attempt: 'one', error: UNREACHABLE } })
    issuer.failWith(undefined)
    expect((await signIn()).status).toBe(200)
  })
})

describe('a response of the provider', () => {
  const now = () => Math.floor(Date.now() / 1000)

  it.each<[string, () => Answer]>([
    ['signed with another key', () => ({ signature: 'another key' })],
    ['that claims to be unsigned', () => ({ signature: 'none' })],
    ['whose signature is cut off', () => ({ signature: 'cut off' })],
    ['signed with the client secret', () => ({ signature: 'HS256 with the client secret' })],
    ['with another nonce', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['for another audience', () => ({ claims: { aud: 'another-client' } })],
    ['from another issuer', () => ({ claims: { iss: 'https://accounts.example' } })],
    ['that has expired', () => ({ claims: { exp: now() - 3_600 } })],
    ['without an expiry', () => ({ claims: { exp: undefined } })],
    ['that is not valid yet', () => ({ claims: { nbf: now() + 3_600 } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    [
      'with another issuer in the redirect',
      () => ({ parameters: { iss: 'https://accounts.example' } }),
    ],
    [
      'whose userinfo is about somebody else',
      () => ({ claims: { email: undefined }, userinfo: { ...PERSON, sub: 'subject-2' } }),
    ],
  ])('is refused: %s', async (_what, misbehave) => {
    const page = await comeBack(issuer.answer(await begin(), misbehave()))
    expect(page).toEqual({ status: 401, report: { attempt: 'attempt-1', error: UNVERIFIED } })
    expect((await post()).status).toBe(401)
    expect(await listUsers()).toEqual([])
  })

  it.each<[string, Answer, string]>([
    [
      'that is not verified',
      { claims: { email_verified: false } },
      'Your email address is not verified at the identity provider.',
    ],
    [
      'without a verified flag',
      { claims: { email_verified: undefined } },
      'Your email address is not verified at the identity provider.',
    ],
    [
      'that is missing',
      { claims: { email: undefined } },
      'The identity provider did not share an email address.',
    ],
    [
      'that is invalid',
      { claims: { email: 'nobody' } },
      'The identity provider did not share an email address.',
    ],
  ])('is refused with an email address %s', async (_what, answer, error) => {
    const page = await comeBack(issuer.answer(await begin(), answer))
    expect(page).toEqual({ status: 403, report: { attempt: 'attempt-1', error } })
    expect((await post()).status).toBe(401)
    expect(await listUsers()).toEqual([])
  })

  it.each([
    ['access_denied', 403, 'The sign-in was cancelled at the identity provider.'],
    ['login_required', 401, REFUSED],
    ['<script>', 401, REFUSED],
  ])('is reported with a plain message when it is the error %s', async (error, status, text) => {
    const url = issuer.answer(await begin(), { parameters: { error } })
    url.searchParams.delete('code')
    expect(await comeBack(url)).toEqual({ status, report: { attempt: 'attempt-1', error: text } })
  })

  it('leads to 503 when the provider becomes unreachable before the code is redeemed', async () => {
    const url = issuer.answer(await begin())
    issuer.failWith(502)
    expect(await comeBack(url)).toMatchObject({ status: 503, report: { error: UNREACHABLE } })
  })
})
