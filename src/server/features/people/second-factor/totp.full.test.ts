import { execFileSync, spawnSync } from 'node:child_process'

import { expect, it } from 'vitest'

import { createTotpKey, findCodeEnd } from './totp'

const isThere = spawnSync('oathtool', ['--version']).status === 0

it.skipIf(!isThere)('takes the codes of oathtool, now and 30 seconds before and after', () => {
  const start = Date.UTC(2026, 0, 1)
  for (let count = 0; count < 50; count++) {
    const key = createTotpKey()
    const now = start + count * 86_413_000
    for (const shift of [-30_000, 0, 30_000]) {
      const at = `@${Math.floor((now + shift) / 1_000)}`
      const code = execFileSync('oathtool', ['--totp', '-b', '--now', at, key]).toString().trim()
      expect(findCodeEnd(key, code, now)).toBe((Math.floor((now + shift) / 30_000) + 1) * 30_000)
    }
  }
})
