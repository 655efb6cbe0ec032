import { describe, expect, it } from 'vitest'

import { followablePath, homePath } from './role-paths'

describe('the redirect after signing in', () => {
  it('goes to the dashboard of the role', () => {
    expect([homePath('SUPER_ADMIN'), homePath('SUPPLIER'), homePath('RETAILER')]).toEqual([
      '/',
      '/supplier',
      '/retailer',
    ])
  })

  it('follows a requested path that the role may see, with its query', () => {
    expect(followablePath('SUPPLIER', '/supplier/retailers?q=acme')).toBe(
      '/supplier/retailers?q=acme',
    )
    expect(followablePath('SUPPLIER', '/supplier/retailers/7')).toBe('/supplier/retailers/7')
    expect(followablePath('SUPPLIER', '/supplier/retailers/7/shop')).not.toBeNull()
    expect(followablePath('RETAILER', '/retailer/shop?shop=excel')).toBe(
      '/retailer/shop?shop=excel',
    )
    const [admin, page] = ['SUPER_ADMIN', '/dashboard/super-admin/suppliers/7?q=acme'] as const
    expect(followablePath(admin, page)).toBe(page)
  })

  it.each(['SUPER_ADMIN', 'SUPPLIER', 'RETAILER'] as const)('follows /api-docs as %s', (role) => {
    expect(followablePath(role, '/api-docs?q=file')).toBe('/api-docs?q=file')
  })

  it.each([
    undefined,
    '',
    'supplier',
    '//evil.example/supplier',
    '/\\evil.example',
    'https://evil.example/supplier',
    '/supplier/../retailer',
    '/supplier/unknown',
    '/retailer',
    '/auth',
  ])('does not follow %s as a supplier', (wanted) => {
    expect(followablePath('SUPPLIER', wanted)).toBeNull()
  })
})
