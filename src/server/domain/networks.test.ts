import { describe, expect, it } from 'vitest'

import { isInNetworks, toNetwork } from './networks'

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::7', '2001:db8::7/128'],
    ['2001:db8:1:2:3::/64', '2001:db8:1:2::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ])('%s is %s', (text, network) => {
    expect(toNetwork(text)).toBe(network)
  })

  it.each([
    '',
    '/',
    '10',
    '10.0.0',
    '010.0.0.1',
    '0x7f.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
  ])('is not %j', (text) => {
    expect(toNetwork(text)).toBeUndefined()
  })

  it.each([
    'example.com',
    '10.0.0.0/8/8',
    '2130706433',
    '2001:db8::/129',
    'fe80::1%eth0',
    ' 10.0.0.1',
  ])('is not %j either', (text) => {
    expect(toNetwork(text)).toBeUndefined()
  })

  it('has addresses of its kind within it', () => {
    const networks = ['10.0.0.0/8', '2001:db8::/32']
    for (const address of ['10.255.0.1', '::ffff:10.0.0.1', '2001:db8:ffff::1']) {
      expect([address, isInNetworks(address, networks)]).toEqual([address, true])
    }
    for (const address of ['11.0.0.1', '2001:db9::', '::', 'unknown', '']) {
      expect([address, isInNetworks(address, networks)]).toEqual([address, false])
    }
  })
})
