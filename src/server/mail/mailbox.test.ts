import { describe, expect, it } from 'vitest'

import { mailboxOf, mailDomainOf } from './mailbox'

describe('a mailbox', () => {
  it.each([
    ['v@x.example', 'v+1@x.example', 'V+a+b@X.Example', 'v+@x.example.'],
    ['first.last@gmail.com', 'firstlast@gmail.com', 'F.i.rstlast+news@googlemail.com'],
    ['v@bücher.example', 'v@BU\u0308CHER.example', 'v@xn--bcher-kva.example'],
    ['v@x.example', 'v@ｘ.example', 'ｖ@x.example'],
  ])('is the same for all spellings of %s', (...spellings) => {
    expect(new Set(spellings.map(mailboxOf)).size).toBe(1)
  })

  it.each([
    ['v@x.example', 'w@x.example'],
    ['v@x.example', 'v@y.example'],
    ['first.last@x.example', 'firstlast@x.example'],
    ['+1@x.example', '+2@x.example'],
    ['v-1@x.example', 'v-2@x.example'],
  ])('differs for %s and %s', (one, other) => {
    expect(mailboxOf(one)).not.toBe(mailboxOf(other))
  })
})

it.each([
  ['v@x.example', 'x.example'],
  ['v@a.b.X.example', 'x.example'],
  ['v@a.x.co.uk', 'x.co.uk'],
  ['v@x.co.uk', 'x.co.uk'],
  ['v@a.x.com.au', 'x.com.au'],
  ['v@a.b.abc.de', 'abc.de'],
  ['v@a.b.xy.de', 'xy.de'],
  ['v@a.bücher.example', 'xn--bcher-kva.example'],
  ['v@googlemail.com', 'gmail.com'],
  ['v@localhost', 'localhost'],
])('the domain of %s is %s', (address, domain) => {
  expect(mailDomainOf(address)).toBe(domain)
})
