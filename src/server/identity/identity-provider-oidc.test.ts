import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  PERSON,
  startOidcIssuer,
  type Answer,
  type OidcIssuer,
} from '../testing/servers/oidc-issuer'
import { createOidcProvider } from './identity-provider-oidc'

const CALLBACK = 'https://stock.example/api/auth/google/callback'

let issuer: OidcIssuer
let lines: string[]
const logger = pino({}, { write: (line: string) => void lines.push(line) })

beforeEach(async () => {
  issuer = await startOidcIssuer()
  lines = []
})
afterEach(() => issuer.close())

async function signIn({ settings, answer }: OidcIssuer, how?: Answer) {
  const provider = createOidcProvider(settings, logger)
  const { url, request } = await provider.begin(CALLBACK, { isAnew: false })
  const address = answer(url, how)
  return { address, request, identity: provider.verify(address, request) }
}

describe('signing in with an OpenID Connect issuer', () => {
  it('returns the identity of the person', async () => {
    const { identity } = await signIn(issuer)
    expect(await identity).toEqual({
      issuer: issuer.settings.issuer,
      subject: PERSON.sub,
      email: PERSON.email,
      name: PERSON.name,
      pictureUrl: PERSON.picture,
    })
    expect(lines).toEqual([])
  })

  it('sends the client secret by the method that the issuer supports', async () => {
    const other = await startOidcIssuer('client_secret_basic')
    const { identity } = await signIn(other)
    expect(await identity).toMatchObject({ subject: PERSON.sub })
    await other.close()
  })

  it('accepts booleans that the issuer sends as strings', async () => {
    const verified = await signIn(issuer, { claims: { email_verified: 'true' } })
    expect(await verified.identity).toMatchObject({ email: PERSON.email })
    const unverified = await signIn(issuer, { claims: { email_verified: 'false' } })
    await expect(unverified.identity).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('an issuer that says to be another one', () => {
  it('is not used at all', async () => {
    issuer.claimToBe('https://accounts.example')
    const attempt = createOidcProvider(issuer.settings, logger).begin(CALLBACK, { isAnew: false })
    await expect(attempt).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(lines.join('')).toContain('issuer')
  })
})

describe('the log of a failed sign-in', () => {
  it.each<[string, Answer]>([
    ['a signature', { signature: 'another key' }],
    ['a claim', { claims: { aud: 'another-client' } }],
    ['a code', { parameters: { code: 'unknown-code' } }],
    ['a refusal', { parameters: { error: 'access_denied' } }],
    ['another profile', { claims: { email: undefined }, userinfo: { sub: 'subject-2' } }],
  ])('has the reason, but no code, token, secret or email address: %s', async (_what, how) => {
    const { address, request, identity } = await signIn(issuer, how)
    await expect(identity).rejects.toMatchObject({ name: 'Error' })
    const [line = '', ...others] = lines
    expect(others).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      reason: expect.stringMatching(/\w{5}/) as string,
      msg: 'A sign-in at the identity provider failed',
    })
    const secrets = [
      issuer.settings.clientSecret,
      ...Object.values(request),
      ...address.searchParams.values(),
      PERSON.email,
      'eyJ',
    ]
    for (const secret of secrets) expect(line).not.toContain(secret)
  })

  it('has one line when the issuer cannot be reached', async () => {
    issuer.failWith(500)
    const attempt = createOidcProvider(issuer.settings, logger).begin(CALLBACK, { isAnew: false })
    await expect(attempt).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(lines).toHaveLength(1)
  })
})
