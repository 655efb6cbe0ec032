import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SECOND_MS } from '../../shared/durations'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'

let deps: TestDeps
let looks: number

beforeEach(async () => {
  deps = await openTestDeps()
  looks = 0
  const check = deps.files.check
  deps.files.check = async () => {
    looks += 1
    await check()
  }
})
afterEach(() => deps.close())

const examine = () => deps.doctor.examine(deps)

describe('the examination of a running product', () => {
  it('is made once for all who ask at the same time, and for some seconds', async () => {
    const [one, other] = await Promise.all([examine(), examine()])
    expect(looks).toBe(1)
    expect(other).toBe(one)
    deps.clock.advance(14 * SECOND_MS)
    expect(await examine()).toBe(one)
    deps.clock.advance(SECOND_MS)
    expect((await examine()).examinedAt).toBe(new Date(deps.clock.now()).toISOString())
    expect(looks).toBe(2)
  })

  it('tells of a check that is itself at fault, and what the others have found', async () => {
    deps.config.proxyVariables = null as never
    const { findings } = await examine()
    expect(findings).toContainEqual({
      part: 'proxies',
      state: 'problem',
      text: expect.stringMatching(/^It could not be examined: /) as string,
    })
    expect(findings).toContainEqual(expect.objectContaining({ part: 'database', state: 'ok' }))
  })
})
