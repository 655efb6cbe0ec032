import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { MAX_WEIGHT, readPages, weigh } from '../support/page-weights'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'

/** With the font of the sign-in page, compressed. */
const FIRST_LOAD_MAX_BYTES = 230_000

let dataDir: string
let product: Product

beforeAll(async () => {
  dataDir = await makeDataDir()
  product = await startProduct(dataDir)
})
afterAll(async () => {
  await product.stop()
  await removeDataDir(dataDir)
})

/** The headers and the size over the wire of a file, as a browser requests it. */
async function request(path: string) {
  const headers = { 'accept-encoding': 'br, gzip' }
  const { headers: answer } = await fetch(product.url + path, { method: 'HEAD', headers })
  return {
    path,
    bytes: Number(answer.get('content-length')),
    policy: answer.get('cache-control'),
  }
}

/** The paths that a text names: scripts, styles and, in a style, the font of Latin text. */
function pathsIn(text: string): string[] {
  return [
    ...text.matchAll(/(?:src|href)="(\/[^"]+)"/g),
    ...text.matchAll(/url\(([^)]+latin-wght[^)]+)\)/g),
  ].flatMap(([, path]) => path ?? [])
}

describe('the first load of /auth', () => {
  it('is small over the wire, and all but the page is cached for good', async () => {
    const page = await (await fetch(`${product.url}/auth`)).text()
    const named = pathsIn(page)
    const style = named.find((path) => path.endsWith('.css')) ?? ''
    const fonts = pathsIn(await (await fetch(product.url + style)).text())
    expect(fonts).toHaveLength(1)
    const assets = [...named, ...fonts].filter((path) => path.startsWith('/assets/'))
    const files = await Promise.all([...new Set(['/auth', '/favicon.svg', ...assets])].map(request))
    expect(files.map(({ path }) => path.replace(/-[\w-]{8}\./, '.'))).toEqual([
      '/auth',
      '/favicon.svg',
      '/assets/index.js',
      '/assets/index.css',
      '/assets/inter-latin-wght-normal.woff2',
    ])
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(total).toBeGreaterThan(100_000)
    expect(total).toBeLessThan(FIRST_LOAD_MAX_BYTES)
    expect(new Set(files.slice(2).map(({ policy }) => policy))).toEqual(
      new Set(['public, max-age=31536000, immutable']),
    )
  })
})

describe('what a page loads before it is shown', () => {
  const { auth, others } = readPages()

  it.each([auth, ...others])('is small: $name', (page) => {
    const scripts = weigh(page, '.js')
    expect(scripts).toBeGreaterThan(100_000)
    expect(scripts).toBeLessThan(page === auth ? MAX_WEIGHT.auth : MAX_WEIGHT.page)
    expect(weigh(page, '.css')).toBeLessThan(MAX_WEIGHT.styles)
  })

  it('is known of every page', () => {
    expect(others.map(({ name }) => name.split('-')[0])).toEqual([
      'administrator',
      'supplier',
      'retailer',
      'upload',
      'account',
      'api',
      'rows',
    ])
  })
})
