import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { compressFiles } from '../../../scripts/builds.mjs'
import { buildApp } from '../app'
import { CLIENT_PAGE as PAGE, writeClientFiles } from '../testing/fixtures/client-files'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'

const SECRET = 'a secret of thirty-two characters'

let deps: TestDeps
let directory: string
let app: FastifyInstance

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeClientFiles(directory)
  deps = await openTestDeps()
  app = await buildApp(deps, {
    sessionSecret: SECRET,
    clientDir: directory,
  })
})
afterEach(async () => {
  await app.close()
  await deps.close()
  await rm(directory, { recursive: true })
})

/** The page as it is built. */
const withoutData = (page: string) => page.replace(/<script.*<\/script>/, '')

describe('the built client', () => {
  it.each([
    ['/', PAGE],
    ['/supplier/retailers/5', PAGE],
    ['/supplier?tab=1', PAGE],
    ['/supplier/', PAGE],
    ['/auth?mode=register', PAGE],
  ])('serves its page, uncached, at %s', async (url, page) => {
    const response = await app.inject({ url })
    expect([response.statusCode, withoutData(response.body)]).toEqual([200, page])
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
  })

  it.each(['/no/such/page', '/apiary', '/supplier/retailers/5/more', '/..%2f..%2fetc/passwd'])(
    'serves its page with 404 at %s, which is not a page',
    async (url) => {
      const response = await app.inject({ url })
      expect([response.statusCode, withoutData(response.body)]).toEqual([404, PAGE])
      expect(response.headers['cache-control']).toBe('no-store')
    },
  )

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is compressed for a browser that accepts %s', async (accepted, encoding, decompress) => {
    compressFiles(directory)
    await app.close()
    app = await buildApp(deps, { sessionSecret: SECRET, clientDir: directory })
    for (const url of ['/assets/app-5e6f.js', '/auth']) {
      const plain = await app.inject({ url })
      const response = await app.inject({ url, headers: { 'accept-encoding': accepted } })
      expect(response.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': plain.headers['content-type'],
        'cache-control': plain.headers['cache-control'],
        vary: 'accept-encoding',
      })
      expect(decompress(response.rawPayload).equals(plain.rawPayload)).toBe(true)
    }
    expect((await app.inject({ url: '/assets/app-5e6f.js.br' })).statusCode).toBe(404)
  })

  it('is cached for a year where the file name contains a hash', async () => {
    const { headers, body } = await app.inject({ url: '/assets/app-1a2b.js' })
    expect(body).toBe('start()')
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
  })

  it('is revalidated where the file name has no hash', async () => {
    const { headers } = await app.inject({ url: '/favicon.svg' })
    expect(headers['cache-control']).toBe('no-cache')
  })

  it.each([
    ['GET', '/assets/app-0000.js'],
    ['GET', '/api/nothing'],
    ['GET', '/api?x=1'],
    ['GET', '/api'],
    ['GET', '/trpc'],
    ['GET', '/assets/'],
    ['GET', '/assets/index.html'],
    ['POST', '/supplier'],
    ['DELETE', '/supplier/index.html'],
  ])('does not serve its page for %s %s', async (method, url) => {
    const response = await app.inject({ method: method as 'GET', url })
    expect([response.statusCode, response.json()]).toEqual([404, { message: 'Not found' }])
    expect(response.headers['cache-control']).toBe('no-store')
  })
})
