import { expect, it } from 'vitest'

import { alertPath, describeAlert } from './alert-text'

const details = { connectionName: 'Stock', supplierName: 'Acme', since: Date.UTC(2026, 0, 15, 8) }

it('late data are told to retailers as such, and to their supplier as a file that has not come', () => {
  const late = { kind: 'feed.late', details: { ...details, isByHand: true } } as const
  expect(describeAlert(late, 'RETAILER')).toEqual({
    title: 'Acme: the data are late',
    text: 'They are as of 2026-01-15 08:00 UTC.',
  })
  expect(describeAlert(late, 'SUPPLIER')).toEqual({
    title: 'Stock: no new file has come',
    text: 'The last one came on 2026-01-15 08:00 UTC. Your retailers see that the data are late.',
  })
  expect(describeAlert({ kind: 'feed.late', details }, 'SUPPLIER').title).toBe(
    'Stock: the data are late',
  )
})

it('a file that was sent is told to be of no use, and an address to fail', () => {
  const reason = 'stock.xlsx: The file is a web page.'
  const failed = { kind: 'feed.failed', details: { ...details, reason } } as const
  expect(describeAlert(failed, 'SUPPLIER').title).toBe('Stock: the source fails')
  const sent = { ...failed, details: { ...failed.details, isByHand: true } }
  expect(describeAlert(sent, 'SUPPLIER')).toEqual({
    title: 'Stock: the file that was sent cannot be used',
    text: reason,
  })
})

it('a new address leads to where the shop is connected, other alerts of a retailer to its page', () => {
  const about = { connectionId: null, supplierId: 2, retailerId: 7 }
  const address = { kind: 'retailer.token-rotated', ...about } as const
  const silent = { kind: 'retailer.silent', ...about } as const
  expect(alertPath('RETAILER', address)).toBe('/retailer/shop?relation=7')
  expect(alertPath('SUPPLIER', address)).toBe('/supplier/retailers/7/shop')
  expect(alertPath('SUPPLIER', silent)).toBe('/supplier/retailers/7')
  expect(alertPath('SUPER_ADMIN', address)).toBe('/dashboard/super-admin/suppliers/2')
})

it('a delivery that has stopped leads to the destinations, and each alert to the supplier it is about', () => {
  const about = { connectionId: null, supplierId: 2, retailerId: 7 }
  const stopped = { kind: 'delivery.stopped', ...about } as const
  expect(alertPath('RETAILER', stopped)).toBe('/retailer/shop?relation=7#send-my-file')
  expect(alertPath('SUPPLIER', stopped)).toBe('/supplier/retailers/7/shop#send-my-file')
  const published = { kind: 'feed.published', ...about, connectionId: 3 } as const
  expect(alertPath('RETAILER', published)).toBe('/retailer?relation=7')
  expect(alertPath('RETAILER', { ...published, retailerId: null })).toBe('/retailer')
})
