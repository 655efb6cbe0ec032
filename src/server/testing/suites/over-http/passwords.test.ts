import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import { prepareSignIn } from '../../../features/people/passkeys/sign-in-by-passkey'
import { PASSWORD } from '../../fixtures/factories'
import { listPaths } from '../../fixtures/list-paths'
import { putPasskey, TEST_ORIGIN } from '../../fixtures/passkeys'
import { putSecondFactor } from '../../fixtures/second-factors'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let testApp: TestApp

beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

const register = (password: string) =>
  testApp.client().request('POST', '/api/register', {
    username: 'newcomer',
    password,
    contactEmail: 'new@example.com',
    companyName: 'New',
  })
const signIn = (password: string, client = testApp.client()) =>
  client.request('POST', '/api/login', { username: 'newcomer', password })
const statusOf = async (cookie: string | undefined) =>
  (await testApp.client(cookie).request('GET', '/api/user')).status

const LONG = 'The quick brown fox, again and again. '.repeat(7).slice(0, PASSWORD_MAX_LENGTH)

describe('a password', () => {
  it.each([
    ['digits', '802466'],
    ['small letters', 'quivering'],
    ['spaces', '      '],
    ['characters of any script', 'пароль密码'],
    ['pictures', '🐎🐎🐎🐎🐎🐎'],
    ['64 characters', 'x'.repeat(64)],
    ['as many as are allowed', LONG],
  ])('may be of %s only, and signs in', async (_what, password) => {
    expect((await register(password)).status).toBe(201)
    expect((await signIn(password)).status).toBe(200)
  })

  it.each(['x'.repeat(PASSWORD_MIN_LENGTH - 1), 'x'.repeat(PASSWORD_MAX_LENGTH + 1)])(
    'is refused and not cut off or filled up when it is too short or too long: %s',
    async (password) => {
      expect((await register(password)).status).toBe(400)
      expect(await testApp.deps.db.selectFrom('users').selectAll().execute()).toEqual([])
    },
  )

  it.each([
    [
      'without its spaces',
      ' Correct Horse ',
      ['Correct Horse', ' Correct Horse', 'Correct Horse '],
    ],
    ['in another case', 'Correct Horse', ['correct horse', 'CORRECT HORSE', 'Correct horse']],
    ['cut off', LONG, [LONG.slice(0, -1), LONG.slice(0, 72), LONG.slice(0, 64), LONG.slice(1)]],
    [
      'in another form of Unicode',
      'Straße café',
      ['Straße cafe\u0301', 'Strasse café', 'Straße cafe'],
    ],
    ['before a character that ends texts elsewhere', 'before\0after', ['before', 'before\0']],
  ])('signs in as it was typed, and not %s', async (_how, password, others) => {
    expect((await register(password)).status).toBe(201)
    for (const other of others) expect((await signIn(other)).status).toBe(401)
    testApp.deps.clock.advance(DAY_MS)
    expect((await signIn(password)).status).toBe(200)
  })

  it('stays the password until somebody changes it, however old it is', async () => {
    await register(PASSWORD)
    testApp.deps.clock.advance(3_650 * DAY_MS)
    const client = testApp.client()
    expect((await signIn(PASSWORD, client)).status).toBe(200)
    expect((await client.request('GET', '/api/retailers')).status).toBe(200)
  })

  it('has no hint and no question in its place: nothing of the kind is stored', async () => {
    const tables = await testApp.deps.db.introspection.getTables()
    const columns = tables.flatMap((table) => table.columns.map(({ name }) => name))
    expect(columns).toContain('passwordHash')
    expect(columns.filter((name) => /hint|question|secretAnswer|maiden/i.test(name))).toEqual([])
  })
})

/** Every way in which a session begins, but for those by Google, which have tests of their own. */
const WAYS: [string, (client: Client) => Promise<{ status: number }>][] = [
  ['the password', (client) => signIn(PASSWORD, client)],
  [
    'the password and a code',
    async (client) => {
      const { code } = await putSecondFactor(testApp.deps, await findId())
      const body = { username: 'newcomer', password: PASSWORD, code: code() }
      return client.request('POST', '/api/login', body)
    },
  ],
  [
    'a passkey',
    async (client) => {
      const { answer } = await putPasskey(testApp.deps, await findId())
      testApp.deps.clock.advance(1)
      const question = await prepareSignIn(testApp.deps, TEST_ORIGIN)
      return client.call('mutation', 'passkeys.signIn', { answer: answer(question) })
    },
  ],
]
const findId = async () =>
  (await testApp.deps.db.selectFrom('users').select('id').executeTakeFirstOrThrow()).id

describe('a session that begins by', () => {
  it.each(WAYS)(
    '%s has a new id of 192 random bits, and ends the one before',
    async (_way, enter) => {
      await register(PASSWORD)
      const client = testApp.client()
      await signIn(PASSWORD, client)
      const ids = new Set<string | undefined>()
      for (let count = 0; count < 3; count += 1) {
        const before = client.cookie
        expect((await enter(client)).status).toBe(200)
        expect([await statusOf(before), await statusOf(client.cookie)]).toEqual([401, 200])
        const [, id = ''] = /=([^.]+)\./.exec(decodeURIComponent(client.cookie ?? '')) ?? []
        expect(Buffer.from(id, 'base64url')).toHaveLength(24)
        ids.add(id)
      }
      expect(ids.size).toBe(3)
    },
  )
})

/** The calls of a router that begin a session, by the names of the client. */
function listSignIns(path: string): string[] {
  const [, file = ''] = /([\w-]+)\.router\.ts$/.exec(path) ?? []
  const router = file.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const calls = new Set<string>()
  let call = ''
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    call = /^ {2}(\w+): /.exec(line)?.[1] ?? call
    if (line.includes('session.signIn(')) calls.add(`${router}.${call}`)
  }
  return [...calls]
}

it('the calls that begin a session are those that docs/security.md names, with what each is worth', () => {
  const routers = listPaths('src/server').filter((path) => path.endsWith('.router.ts'))
  const page = readFileSync('docs/security.md', 'utf8')
  const [table = ''] = (page.split('### Ways to sign in\n')[1] ?? '').split('\n#')
  const named = new Set([...table.matchAll(/`(\w+\.\w+)`/g)].map(([, name = '']) => name))
  expect(routers.flatMap(listSignIns).toSorted()).toEqual([...named].toSorted())
})
