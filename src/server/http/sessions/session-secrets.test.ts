import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { buildApp, type AppOptions } from '../../app'
import { createSupplierUser, PASSWORD } from '../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../testing/stages/test-deps'

const OLD = 'the secret before, of 32 characters'
const NEW = 'the secret after, of 32 characters!'

let deps: TestDeps
const apps: FastifyInstance[] = []

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  await deps.close()
})

async function open(options: AppOptions): Promise<FastifyInstance> {
  const app = await buildApp(deps, options)
  apps.push(app)
  return app
}

async function signIn(app: FastifyInstance): Promise<string> {
  const { username } = await createSupplierUser(deps)
  const payload = { username, password: PASSWORD }
  const { headers } = await app.inject({ method: 'POST', url: '/api/login', payload })
  return String(headers['set-cookie']).split(';', 1)[0] ?? ''
}

const read = (app: FastifyInstance, cookie: string) =>
  app.inject({ url: '/api/user', headers: { cookie } })

it('keeps sessions when the secret of their cookies is changed and the one before is accepted', async () => {
  const cookie = await signIn(await open({ sessionSecret: OLD }))
  const during = await open({ sessionSecret: NEW, previousSessionSecret: OLD })
  const { statusCode, headers } = await read(during, cookie)
  expect(statusCode).toBe(200)
  expect(headers).not.toHaveProperty('set-cookie')

  const newer = await signIn(during)
  const after = await open({ sessionSecret: NEW })
  const answers = await Promise.all([newer, cookie].map((one) => read(after, one)))
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 401])
})

it('accepts no other secret', async () => {
  const cookie = await signIn(await open({ sessionSecret: 'another secret with 32 characters!' }))
  const app = await open({ sessionSecret: NEW, previousSessionSecret: OLD })
  expect((await read(app, cookie)).statusCode).toBe(401)
})
