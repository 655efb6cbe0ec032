import { expect, it } from 'vitest'

import { parseImapUrl } from './imap-url'

it.each([
  [
    'imaps://stock%40example.com:p%2Fw@imap.example.com',
    {
      host: 'imap.example.com',
      port: 993,
      security: 'tls',
      username: 'stock@example.com',
      password: 'p/w',
      folder: 'INBOX',
    },
  ],
  [
    'imap://a:b@mail.example.com/Stock%20in',
    {
      host: 'mail.example.com',
      port: 143,
      security: 'starttls',
      username: 'a',
      password: 'b',
      folder: 'Stock in',
    },
  ],
  [
    'imap://a:b@127.0.0.1:1143/x/y',
    {
      host: '127.0.0.1',
      port: 1143,
      security: 'none',
      username: 'a',
      password: 'b',
      folder: 'x/y',
    },
  ],
  [
    'imaps://a@[::1]:9',
    { host: '::1', port: 9, security: 'tls', username: 'a', password: null, folder: 'INBOX' },
  ],
])('reads where a mailbox is from %s', (text, place) => {
  expect(parseImapUrl(text)).toEqual(place)
})

it.each([
  'imap.example.com',
  'https://a:b@example.com',
  'imaps://imap.example.com',
  'imaps://a:b@imap.example.com/INBOX?x=1',
  'imaps://a%ZZ:b@imap.example.com',
])('does not take %s for a mailbox', (text) => {
  expect(parseImapUrl(text)).toBeUndefined()
})
