import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { openTestApp, type TestApp } from '../src/server/testing/stages/test-app'
import { userSchema } from '../src/shared/schemas/user'
import { openInstallation } from './installation'

let testApp: TestApp
let origin: string

beforeAll(async () => {
  testApp = await openTestApp()
  origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => testApp.close())

it.each([
  ['nowhere', 'key', '--url must be an address such as https://stockbridge.example.com'],
  ['http://stockbridge.example.com', 'key', /--url must begin with https: anybody on the way/],
  ['http://127.0.0.1.example.com', 'key', /--url must begin with https/],
  ['https://stockbridge.example.com', undefined, /STOCKBRIDGE_KEY must have the API key/],
])('%s with %s is refused before anything is sent', (address, key, message) => {
  expect(() => openInstallation(address, key)).toThrow(message)
})

it('says why an installation refuses', async () => {
  const call = openInstallation(origin, 'sb_wrong').request('GET', '/api/user')
  await expect(call).rejects.toThrow(`${origin} refuses: `)
})

it('says that nobody answers, and follows nobody with the key', async () => {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    if (request.url === '/api/user') response.end('{}')
    else response.writeHead(308, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { request, ask } = openInstallation(address, 'sb_key')
  await expect(request('GET', '/api/suppliers')).rejects.toThrow(
    `${address} redirects to ${address}: use that address`,
  )
  expect(asked).toEqual(['/api/suppliers'])
  await expect(ask(userSchema, 'GET', '/api/user')).rejects.toThrow(
    `${address} does not answer as this version does`,
  )
  await new Promise((resolve) => server.close(resolve))
  await expect(request('GET', '/api/user')).rejects.toThrow(
    /cannot be reached \((?:ECONNREFUSED|UND_ERR_SOCKET)\)/,
  )
})
