import { describe, expect, it } from 'vitest'

import { hashSecretToken } from '../../../domain/secret-token'
import { judgeReader, type AddressProtection } from './judge-reader'

const PASSWORD = 'a-password_of:43'
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

const judge = (
  protection: Partial<AddressProtection>,
  { authorization, address = '203.0.113.7' }: { authorization?: string; address?: string } = {},
  now = 1_000,
) =>
  judgeReader(
    { passwordHash: null, networks: [], validUntil: null, ...protection },
    { address, authorization, userAgent: undefined },
    now,
  )

const withPassword = { passwordHash: hashSecretToken(PASSWORD) }

describe('a feed address', () => {
  it('without a protection answers everybody, whatever they send', () => {
    expect([judge({}), judge({}, { authorization: basic('a:b'), address: '' })]).toEqual([
      null,
      null,
    ])
  })

  it.each([
    basic(`feed:${PASSWORD}`),
    basic(`another:${PASSWORD}`),
    basic(`:${PASSWORD}`),
    basic(`feed:${PASSWORD}`).replace('Basic', 'basic'),
    `Bearer ${PASSWORD}`,
    `bearer   ${PASSWORD}`,
  ])('with a password answers %s', (authorization) => {
    expect(judge(withPassword, { authorization })).toBeNull()
  })

  it.each([
    basic('feed:another'),
    basic(`feed:${PASSWORD}x`),
    basic(PASSWORD.replace(':', '')),
    `Bearer ${PASSWORD}x`,
    `Bearer ${hashSecretToken(PASSWORD)}`,
  ])('does not take %s for the password', (authorization) => {
    expect(judge(withPassword, { authorization })).toBe('password-wrong')
  })

  it.each([undefined, '', 'Basic', 'Basic ?', basic('feed:'), `Digest ${PASSWORD}`, PASSWORD])(
    'finds no password in %s',
    (authorization) => {
      expect(judge(withPassword, { ...(authorization !== undefined && { authorization }) })).toBe(
        'password-missing',
      )
    },
  )

  it('is for its networks only, however their addresses are written', () => {
    const networks = ['203.0.113.0/24', '2001:db8::/32']
    for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1']) {
      expect([address, judge({ networks }, { address })]).toEqual([address, null])
    }
    for (const address of ['203.0.114.7', '::ffff:10.0.0.1', '2001:db9::1', 'unknown', '']) {
      expect([address, judge({ networks }, { address })]).toEqual([address, 'network'])
    }
  })

  it('asks from a wrong network for no password', () => {
    expect(judge({ ...withPassword, networks: ['10.0.0.0/8'] })).toBe('network')
  })

  it('answers until its end, and not after it', () => {
    expect([judge({ validUntil: 1_001 }), judge({ validUntil: 1_000 })]).toEqual([null, 'expired'])
  })
})
