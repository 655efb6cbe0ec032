import { describe, expect, it } from 'vitest'

import { storeUrlToHref } from '../web-address'
import { storeUrlSchema } from './primitives'

describe('the address of a store', () => {
  it.each([
    ['shop.example', 'https://shop.example/'],
    ['Shop.Example', 'https://shop.example/'],
    ['www.shop.example/boots?size=42#new', 'https://www.shop.example/boots?size=42#new'],
    ['shop.example:8443', 'https://shop.example:8443/'],
    ['shop.example:8443/a', 'https://shop.example:8443/a'],
    ['https://shop.example', 'https://shop.example/'],
    ['HTTP://shop.example/a', 'http://shop.example/a'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['shop.example/@me', 'https://shop.example/@me'],
  ])('%s is linked as %s', (text, href) => {
    expect(storeUrlSchema.safeParse(text).success).toBe(true)
    expect(storeUrlToHref(text)).toBe(href)
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(document.domain)',
    'java\tscript:alert(1)',
    'javascript://shop.example/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:a.b',
    'file:///etc/passwd',
    'ftp://shop.example',
    'mailto:a@shop.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/shop',
    'shop',
    'shop.',
    '.example',
    'my shop.example',
    'me@shop.example',
    'https://me:secret@shop.example',
    'https://me@shop.example',
    'https://shop.example@evil.example',
    'https:/shop.example',
    'https://',
    'http://[::1',
    'shop.example:99999999',
    'shop.example\u202Efdp',
    'shop.example/\u2066a',
    'shop.example\u0000',
    'shop.example/\uD83D',
  ])('is refused as %j', (text) => {
    expect(storeUrlToHref(text)).toBeUndefined()
    expect(storeUrlSchema.safeParse(text).error?.issues[0]?.message).toBe(
      'Enter a web address, for example shop.example',
    )
  })

  it('may be empty', () => {
    expect(storeUrlSchema.parse('  ')).toBe('')
  })

  it('has at most 2,048 characters', () => {
    const text = `shop.example/${'a'.repeat(2_035)}`
    expect(storeUrlSchema.safeParse(text).success).toBe(true)
    expect(storeUrlSchema.safeParse(`${text}a`).error?.issues[0]?.message).toBe(
      'Store URL must be at most 2048 characters',
    )
  })
})
