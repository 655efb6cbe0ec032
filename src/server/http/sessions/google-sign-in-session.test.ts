import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../shared/durations'
import { inTransaction } from '../../db/open'
import { deleteExpiredSessions } from '../../features/people/accounts/sessions.queries'
import { createSupplierUser } from '../../testing/fixtures/factories'
import { PERSON, startOidcIssuer, type OidcIssuer } from '../../testing/servers/oidc-issuer'
import {
  beginSignIn,
  endSignIn,
  postIdentity,
  readPopupPage,
} from '../../testing/stages/google-window'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

const byNumber = (one: number, other: number) => one - other
const OVER = 'This sign-in has expired, or a newer one has replaced it. Try again.'
const REFUSED = 'The identity provider refused the sign-in.'

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

const listSessions = () => testApp.deps.db.selectFrom('sessions').selectAll().execute()
const listSignIns = () => testApp.deps.db.selectFrom('googleSignIns').selectAll().execute()
const listUsers = () => testApp.deps.db.selectFrom('users').selectAll().execute()
const begin = (browser = client, attempt?: string) => beginSignIn(browser, attempt)
const comeBack = (url: URL, browser = client) => endSignIn(browser, url)
const post = (uid?: string, browser = client) => postIdentity(browser, uid)

describe('the state of a sign-in', () => {
  const over = { status: 400, report: { attempt: '', error: OVER } }

  it.each(['', 'another'])('is required, and %j does not match', async (state) => {
    expect(await comeBack(issuer.answer(await begin(), { parameters: { state } }))).toEqual(over)
    expect((await post()).status).toBe(401)
  })

  it('is valid once: repeating the callback fails', async () => {
    const url = issuer.answer(await begin(), { isForgetful: true })
    expect((await comeBack(url)).status).toBe(200)
    expect(await comeBack(url)).toEqual(over)
  })

  it('is valid once for concurrent callbacks', async () => {
    const url = issuer.answer(await begin(), { isForgetful: true })
    const { cookie } = client
    const pages = await Promise.all(
      Array.from({ length: 5 }, () => comeBack(url, testApp.client(cookie))),
    )
    expect(pages.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 400, 400, 400, 400])
  })

  it('does not make a used code valid again', async () => {
    const used = issuer.answer(await begin())
    await comeBack(used)
    const code = used.searchParams.get('code') ?? ''
    const page = await comeBack(issuer.answer(await begin(), { parameters: { code } }))
    expect(page).toEqual({ status: 401, report: { attempt: 'attempt-1', error: REFUSED } })
    expect((await post()).status).toBe(401)
  })

  // Login CSRF: the victim would continue in the attacker's account.
  it('is not valid in another session', async () => {
    const attacker = testApp.client()
    const url = issuer.answer(await begin(attacker))
    expect(await comeBack(url, testApp.client())).toEqual(over)
    await begin()
    expect(await comeBack(url)).toEqual(over)
    expect((await post()).status).toBe(401)
    expect(await listUsers()).toEqual([])
  })

  it('expires after ten minutes, which is reported to the page', async () => {
    const [late, early] = [issuer.answer(await begin()), testApp.client()]
    const inTime = issuer.answer(await begin(early))
    testApp.deps.clock.advance(10 * MINUTE_MS - 1)
    expect((await comeBack(inTime, early)).status).toBe(200)
    testApp.deps.clock.advance(1)
    expect(await comeBack(late)).toEqual({
      status: 400,
      report: { attempt: 'attempt-1', error: OVER },
    })
  })

  it('is invalidated by a newer sign-in of the same session', async () => {
    const older = issuer.answer(await begin())
    const newer = issuer.answer(await begin(client, 'attempt-2'))
    expect(await comeBack(older)).toEqual(over)
    expect(await comeBack(newer)).toMatchObject({ status: 200, report: { attempt: 'attempt-2' } })
  })

  it('replaces the identity left by an older sign-in', async () => {
    await comeBack(issuer.answer(await begin()))
    await begin()
    expect((await post()).status).toBe(401)
  })

  it('does not appear in the page, and neither does the nonce', async () => {
    const location = new URL(await begin())
    const page = await client.request('GET', issuer.answer(location.href).href)
    expect(page.text).not.toContain(location.searchParams.get('state'))
    expect(page.text).not.toContain(location.searchParams.get('nonce'))
  })
})

describe('the identity stored in a session', () => {
  const refusal = { message: 'The sign-in with Google has expired. Try again.' }

  it('is required: the uid in the body alone signs nobody in', async () => {
    await comeBack(issuer.answer(await begin()))
    expect((await post()).status).toBe(200)
    const stranger = testApp.client()
    const { status, body } = await post(PERSON.sub, stranger)
    expect([status, body, stranger.cookie]).toEqual([401, refusal, undefined])
  })

  it('signs in only its own subject, not another uid', async () => {
    await comeBack(issuer.answer(await begin(), { claims: { sub: 'victim' } }))
    await post('victim')
    await client.request('POST', '/api/logout')
    await comeBack(issuer.answer(await begin()))
    const { status } = await post('victim')
    expect(status).toBe(401)
    expect((await client.request('GET', '/api/user')).status).toBe(401)
    expect(await listUsers()).toHaveLength(1)
  })

  it('is consumed by the first attempt, even with a wrong uid', async () => {
    await comeBack(issuer.answer(await begin()))
    expect((await post('another')).status).toBe(401)
    const { status, body } = await post()
    expect([status, body]).toEqual([401, refusal])
  })

  it('is consumed once by concurrent calls', async () => {
    await comeBack(issuer.answer(await begin()))
    const { cookie } = client
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => post(PERSON.sub, testApp.client(cookie))),
    )
    expect(responses.map(({ status }) => status).toSorted(byNumber)).toEqual([
      200, 401, 401, 401, 401,
    ])
  })

  it('expires after five minutes', async () => {
    await comeBack(issuer.answer(await begin()))
    testApp.deps.clock.advance(5 * MINUTE_MS)
    expect((await post()).status).toBe(401)
    await comeBack(issuer.answer(await begin()))
    testApp.deps.clock.advance(5 * MINUTE_MS - 1)
    expect((await post()).status).toBe(200)
  })

  it.each([null, [], {}, { uid: 7 }, { uid: '' }, { uid: 'x'.repeat(300) }, 'text'])(
    'is not accepted with the body %j',
    async (body) => {
      await comeBack(issuer.answer(await begin()))
      const json = { 'content-type': 'application/json' }
      const text = JSON.stringify(body)
      const response = await client.request('POST', '/api/auth/google', text, json)
      expect(response.status).toBe(400)
      expect(await listUsers()).toEqual([])
    },
  )

  it('cannot be used from another site', async () => {
    await comeBack(issuer.answer(await begin()))
    const foreign = { origin: 'https://evil.example' }
    const { status } = await client.request(
      'POST',
      '/api/auth/google',
      { uid: PERSON.sub },
      foreign,
    )
    expect(status).toBe(403)
    expect((await post()).status).toBe(200)
  })
})

describe('the session of a sign-in', () => {
  it('starts anonymous and expires by itself', async () => {
    await begin()
    expect(await listSessions()).toMatchObject([{ userId: null }])
    expect((await client.request('GET', '/api/user')).status).toBe(401)
    testApp.deps.clock.advance(15 * MINUTE_MS)
    const { db, clock } = testApp.deps
    await inTransaction(db, (trx) => deleteExpiredSessions(trx, clock.now()))
    expect([await listSessions(), await listSignIns()]).toEqual([[], []])
  })

  it('is kept when a second sign-in is started in it', async () => {
    await begin()
    const { cookie } = client
    testApp.deps.clock.advance(14 * MINUTE_MS)
    const location = await begin()
    expect(client.cookie).toBe(cookie)
    testApp.deps.clock.advance(9 * MINUTE_MS)
    expect((await comeBack(issuer.answer(location))).status).toBe(200)
    expect(await listSessions()).toHaveLength(1)
  })

  it('is replaced and invalid once the user is signed in', async () => {
    await comeBack(issuer.answer(await begin()))
    const before = client.cookie
    expect((await post()).status).toBe(200)
    expect(client.cookie).not.toBe(before)
    expect((await testApp.client(before).request('GET', '/api/user')).status).toBe(401)
    expect(await listSessions()).toMatchObject([{ userId: expect.any(Number) as number }])
    expect(await listSignIns()).toEqual([])
  })

  it('ends as any other does, whatever the provider thinks of its own', async () => {
    const { clock } = testApp.deps
    const status = async () => (await client.request('GET', '/api/user')).status
    await comeBack(issuer.answer(await begin()))
    await post()
    for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
      clock.advance(11 * HOUR_MS)
      expect(await status()).toBe(200)
    }
    clock.advance(11 * HOUR_MS)
    expect(await status()).toBe(401)
    await comeBack(issuer.answer(await begin()))
    expect(await status()).toBe(401)
    expect((await post()).status).toBe(200)
    clock.advance(12 * HOUR_MS)
    expect(await status()).toBe(401)
  })

  it('gets nothing of the tokens of the provider, and neither does the database', async () => {
    const url = issuer.answer(await begin())
    const page = await client.request('GET', url.pathname + url.search)
    const posted = await post()
    const stored = JSON.stringify([await listSessions(), await listSignIns(), await listUsers()])
    // The issuer of these tests uses the code as access token.
    for (const secret of [url.searchParams.get('code') ?? '', 'eyJ']) {
      expect(page.text + posted.text + JSON.stringify(posted.headers) + stored).not.toContain(
        secret,
      )
    }
  })

  it('may belong to a signed-in user, who stays signed in until the sign-in completes', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    client = await testApp.signIn(supplier)
    const { cookie } = client
    const before = await listSessions()
    await comeBack(issuer.answer(await begin()))
    expect(client.cookie).toBe(cookie)
    expect(await listSessions()).toEqual(before)
    expect((await client.request('GET', '/api/user')).body).toMatchObject({ id: supplier.id })
    expect((await post()).body).toMatchObject({ username: 'nora.beck' })
    expect((await testApp.client(cookie).request('GET', '/api/user')).status).toBe(401)
  })

  it('cancels its pending sign-in when it ends', async () => {
    const url = issuer.answer(await begin())
    await client.request('POST', '/api/logout')
    expect((await comeBack(url)).status).toBe(400)
  })
})

describe('the final page of the sign-in window', () => {
  it('allows only its own script, and stays connected to the page that opened it', async () => {
    const { pathname, search } = issuer.answer(await begin())
    const { headers, text } = await client.request('GET', pathname + search)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/google-popup.js" defer>'])
    expect(text).not.toMatch(/\son\w+=|style=/)
  })

  it('escapes parameters of the URL', async () => {
    const attempt = encodeURIComponent(`"><script>alert('1')</script>`)
    issuer.failWith(503)
    const start = await client.request('GET', `/api/auth/google/start?attempt=${attempt}`)
    expect(start.text).not.toContain('<script>alert')
    expect(readPopupPage(start).report).toMatchObject({ attempt: `"><script>alert('1')</script>` })
  })

  it('does not reveal database errors', async () => {
    const location = await begin()
    const { schema } = testApp.deps.db
    await schema.alterTable('googleSignIns').renameTo('elsewhere').execute()
    expect(await comeBack(issuer.answer(location))).toEqual({
      status: 500,
      report: { attempt: '', error: 'Internal server error' },
    })
    await schema.alterTable('elsewhere').renameTo('googleSignIns').execute()
  })
})
