import { describe, expect, it } from 'vitest'

import { isMasked, maskAddress, mayContainSecret } from './masked-address'

describe('an address', () => {
  it.each([
    'https://shop.example/inventory.csv?key=1',
    'https://shop.example/inventory.csv#key',
    'https://shop.example/0123456789abcdef/inventory.csv',
    'https://shop.example/feeds/Hq3vYw0c9mXrT5kLpZ8sNb2dGf7jQa1eUi6oWx4tRyE/inventory.csv',
    'https://hooks.example/services/T0/B0/%C4%8D%C4%8D%C4%8D',
    'https://shop:word@shop.example/inventory.csv',
    'https://word@shop.example/',
  ])('that may contain a secret is known as such: %s', (address) => {
    expect(mayContainSecret(address)).toBe(true)
  })

  it.each([
    'https://shop.example',
    'http://127.0.0.1:8080/inventory.csv',
    'https://a-very-long-name-of-a-shop.example/files/2026/stock.csv',
  ])('without a place for a secret is known as such: %s', (address) => {
    expect(mayContainSecret(address)).toBe(false)
  })

  it('keeps only its origin when it is masked', () => {
    const masked = maskAddress('https://user:word@shop.example:8443/key/file.csv?a=1#b')
    expect(masked).toBe('https://shop.example:8443/••••••')
    expect([masked, new URL(masked).href, `${masked}/more`].map(isMasked)).toEqual([
      true,
      true,
      true,
    ])
    expect(isMasked('https://shop.example/file.csv')).toBe(false)
    expect(maskAddress('s3://acme-files/outgoing/stock.csv')).toBe('s3://acme-files/••••••')
  })
})
