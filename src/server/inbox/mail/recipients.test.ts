import { expect, it } from 'vitest'

import { findRecipients } from './recipients'

it('finds for whom a mail is, where servers note it first', () => {
  const header = [
    'To: "Stock, all" <list@elsewhere.example>,',
    ' A <a+one@in.example.com>',
    'Cc: c@in.example.com; d@in.example.com',
    'Subject: not@in.example.com',
    'Envelope-To: e@in.example.com',
    'X-Original-To: x@in.example.com',
    'DELIVERED-TO: first@elsewhere.example',
    'Delivered-To: second@in.example.com',
    'To: list@elsewhere.example',
  ].join('\r\n')
  expect(findRecipients(header)).toEqual([
    'first@elsewhere.example',
    'second@in.example.com',
    'x@in.example.com',
    'e@in.example.com',
    'list@elsewhere.example',
    'a+one@in.example.com',
    'c@in.example.com',
    'd@in.example.com',
  ])
})

it.each(['', 'To:', 'To: nobody', ': a@b', 'To: @', `To: ${'a'.repeat(70_000)}@in.example.com`])(
  'finds nobody in a header such as %j',
  (header) => {
    expect(findRecipients(header).filter((address) => address.length > 254)).toEqual([])
  },
)

it('stops after fifty', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `a${index}@b.example`).join(', ')
  expect(findRecipients(`To: ${many}`)).toHaveLength(50)
})
