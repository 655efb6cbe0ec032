import { expect, it } from 'vitest'

import { readConfig } from '../config'
import { recordLog } from '../testing/fixtures/log-lines'
import { describeUnusedProxies, warnOfUnusedProxies } from './unused-proxies'

it('says in one line, without their values, which proxies are not used and what to do', () => {
  const log = recordLog()
  warnOfUnusedProxies(log.logger, readConfig({ ALL_PROXY: 'socks5://user:secret@proxy.example' }))
  expect(log.lines().map(({ msg }) => msg)).toEqual([
    expect.stringMatching(
      /^ALL_PROXY is set, but .* without a proxy.*\. Set FETCH_PROXY /,
    ) as string,
  ])
  expect(log.text()).not.toContain('secret')
})

it('says nothing when the environment names none, or the product has a proxy of its own', () => {
  const log = recordLog()
  warnOfUnusedProxies(log.logger, readConfig({ NO_PROXY: '*', https_proxy: '' }))
  const proxy = 'http://proxy.example'
  warnOfUnusedProxies(log.logger, readConfig({ HTTP_PROXY: proxy, FETCH_PROXY: proxy }))
  expect(log.lines()).toEqual([])
})

it('names what is asked through them when Node was told to use them', () => {
  const text = describeUnusedProxies(readConfig({ HTTP_PROXY: 'http://proxy.example' }), true)?.text
  expect(text).toContain('only the identity provider is asked through it')
})
