import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  startUnset,
} from '../support/product'

const send = (page: string, path: string, body: object) =>
  fetch(new URL(path, page), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it('is set up by HTTP with the token that it prints, and then is the product', async () => {
  const dataDir = await makeDataDir()
  const product = await startUnset(dataDir, { WEB_PROCESSES: '2' })
  const { origin, hash } = new URL(product.url)
  const token = hash.replace('#token=', '')
  const tokenFile = join(dataDir, 'setup-token')
  expect(await readFile(tokenFile, 'utf8')).toBe(token)
  expect((await stat(tokenFile)).mode & 0o777).toBe(0o600)
  const account = { username: 'operator', password: 'correct horse' }
  expect((await send(origin, '/api/login', account)).status).toBe(503)
  expect((await send(origin, '/api/setup', { token: 'wrong', ...account })).status).toBe(403)
  expect((await send(origin, '/api/setup', { token, ...account })).status).toBe(201)
  const signIn = async () =>
    (await send(origin, '/api/login', account).catch(() => undefined))?.status
  await expect.poll(signIn, { timeout: 60_000 }).toBe(200)
  expect((await send(origin, '/api/setup', { token, ...account })).status).toBe(404)
  await expect.poll(() => product.output()).toMatch(/is ready at/)
  await expect(stat(tokenFile)).rejects.toThrow('ENOENT')
  expect(await product.stop()).toBe(0)
  // A later start asks nobody any more, and shows no token.
  const again = await startProduct(dataDir, { SETUP: 'browser', ADMIN_PASSWORD: '' })
  expect((await send(again.url, '/api/login', account)).status).toBe(200)
  await expect.poll(() => again.output()).not.toMatch(/Set up|First sign-in/)
  await again.stop()
  await removeDataDir(dataDir)
})

it('prints the token once, stops when told to, and is set up unattended by the variables', async () => {
  const dataDir = await makeDataDir()
  const first = await startUnset(dataDir)
  expect(new URL(first.url).hash).toMatch(/^#token=[\w-]{43}$/)
  expect(await first.stop()).toBe(0)
  const second = await startUnset(dataDir)
  expect(new URL(second.url).hash).toBe('')
  await expect.poll(() => second.output()).toContain(join(dataDir, 'setup-token'))
  expect(await second.stop('SIGINT')).toBe(0)
  const product = await startProduct(dataDir, { SETUP: 'browser' })
  const account = { username: 'admin', password: ADMIN_PASSWORD }
  expect((await send(product.url, '/api/login', account)).status).toBe(200)
  await expect(stat(join(dataDir, 'setup-token'))).rejects.toThrow('ENOENT')
  await product.stop()
  await removeDataDir(dataDir)
})
