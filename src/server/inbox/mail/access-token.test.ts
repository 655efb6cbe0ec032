import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

import { afterEach, expect, it } from 'vitest'

import { listenOnLoopback } from '../../testing/servers/loopback'
import { createAccessTokens } from './access-token'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
const { signal } = new AbortController()

/** A server of tokens that answers one after the other, and what it was asked. */
async function start(...answers: [status: number, body: object | string][]) {
  const asked: Record<string, string>[] = []
  const server = createServer((request, response) => {
    const answerBody = async () => {
      asked.push(Object.fromEntries(new URLSearchParams(await text(request))))
      const [status, answer] = answers.shift() ?? [500, '']
      response.writeHead(status, { location: '/elsewhere' })
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    }
    void answerBody()
  })
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}/token`
  closing.push(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return { url, asked }
}

const settings = { clientId: 'client', clientSecret: 'shh', refreshToken: 'granted', scope: null }

it('keeps a token until it is about to end, and a new grant in the place of the one before', async () => {
  const { url, asked } = await start(
    [200, { access_token: 'one', expires_in: 3_600, refresh_token: 'next' }],
    [200, { access_token: 'two', expires_in: 10 }],
    [200, { access_token: 'three' }],
  )
  const tokens = createAccessTokens({ ...settings, url })
  expect(await tokens.get(signal)).toBe('one')
  expect(await tokens.get(signal)).toBe('one')
  tokens.forget()
  expect(await tokens.get(signal)).toBe('two')
  expect(await tokens.get(signal)).toBe('three')
  const request = { client_id: 'client', client_secret: 'shh', grant_type: 'refresh_token' }
  expect(asked).toEqual([
    { ...request, refresh_token: 'granted' },
    { ...request, refresh_token: 'next' },
    { ...request, refresh_token: 'next' },
  ])
})

it('asks for itself where nobody has granted anything', async () => {
  const { url, asked } = await start([200, { access_token: 'one' }])
  const scope = 'https://mail.example/.default'
  await createAccessTokens({ ...settings, url, refreshToken: null, scope }).get(signal)
  expect(asked).toEqual([
    { client_id: 'client', client_secret: 'shh', grant_type: 'client_credentials', scope },
  ])
})

it.each([
  [
    400,
    { error: 'invalid_grant', error_description: 'granted' },
    'The token server answers 400: invalid_grant',
  ],
  [401, 'shh is wrong', 'The token server answers 401'],
  [200, '{}', 'The token server answers without an access token'],
  [200, 'x'.repeat(100_000), 'The answer of the token server is too long'],
])('tells no secret when there is none: %i', async (status, answer, message) => {
  const { url } = await start([status, answer])
  await expect(createAccessTokens({ ...settings, url }).get(signal)).rejects.toThrow(
    new Error(message),
  )
})

it('follows nobody to another place', async () => {
  const { url, asked } = await start([302, ''], [200, { access_token: 'stolen' }])
  await expect(createAccessTokens({ ...settings, url }).get(signal)).rejects.toThrow('fetch failed')
  expect(asked).toHaveLength(1)
})
