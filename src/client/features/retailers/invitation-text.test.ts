import { describe, expect, it } from 'vitest'

import { writeCsv } from '../../lib/write-csv'
import { toLoginRows, writeInvitation } from './invitation-text'

const login = { storeName: 'Corner Shop', username: 'corner', password: 'k7mp-w3xq' }
const address = 'https://stock.example'

describe('an invitation', () => {
  it('says who invites, where to sign in and how', () => {
    expect(writeInvitation(login, { companyName: 'Northbeck', address })).toBe(
      [
        'Hello Corner Shop,',
        '',
        'your inventory from Northbeck is ready for you:',
        '',
        'Address: https://stock.example',
        'Username: corner',
        'Password: k7mp-w3xq',
        '',
        'Once you have signed in, you can change the password under Settings.',
      ].join('\n'),
    )
  })

  it('of a supplier without a name does not name it', () => {
    const text = writeInvitation(login, { companyName: null, address })
    expect(text).toContain('your inventory is ready for you:')
  })
})

it('the file of logins has one line for each', () => {
  const rows = toLoginRows([login], { companyName: null, address })
  expect(rows.map((cells) => cells.slice(0, 3))).toEqual([
    ['Store Name', 'Username', 'Password'],
    ['Corner Shop', 'corner', 'k7mp-w3xq'],
  ])
})

it('a CSV file keeps quotes, separators and line ends within its cells', () => {
  expect(writeCsv([['a "b"', 'c,d', 'e\nf']])).toBe('"a ""b""","c,d","e\nf"\r\n')
})
