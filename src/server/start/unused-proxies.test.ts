import { expect, it } from 'vitest'

import { readConfig } from '../config'
import { recordLog } from '../testing/fixtures/log-lines'
import { describeUnusedProxies, warnOfUnusedProxies } from './unused-proxies'

it('says in one line, without their values, which proxies are not used and what to do', () => {
  const log = recordLog()
  warnOfUnusedProxies(log.logger, readConfig({ ALL_PROXY: 'socks5://user:secret@proxy.example' }))
  expect(log.lines().map(({ msg }) => msg)).toEqual([
    expect.stringMatching(
      /^ALL_PROXY is set, but .* without a proxy.*\. Let this machine/,
    ) as string,
  ])
  expect(log.text()).not.toContain('secret')
})

it('says nothing when the environment names none', () => {
  const log = recordLog()
  warnOfUnusedProxies(log.logger, readConfig({ NO_PROXY: '*', https_proxy: '' }))
  expect(log.lines()).toEqual([])
})

it('names what is asked through them when Node was told to use them', () => {
  const text = describeUnusedProxies({ proxyVariables: ['HTTP_PROXY'] }, true)?.text
  expect(text).toContain('only the identity provider is asked through it')
})
