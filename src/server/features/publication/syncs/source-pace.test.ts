import { beforeEach, describe, expect, it } from 'vitest'

import { SECOND_MS } from '../../../../shared/durations'
import { startSourcePace, type SourcePace } from './source-pace'

const KB = 1_024

let now: number
let pace: SourcePace

beforeEach(() => {
  now = 0
  pace = startSourcePace(() => now)
})

/** Reports bytes every tenth of a second, in addition to `before`; returns the total. */
function send(bytesPerSecond: number, seconds: number, before = 0) {
  for (let tenth = 1; tenth <= seconds * 10; tenth++) {
    now += SECOND_MS / 10
    pace.note(before + Math.round((bytesPerSecond * tenth) / 10))
  }
  return before + bytesPerSecond * seconds
}

describe('the pace of a source', () => {
  it('is slow below 64 KB a second and not above', () => {
    send(70 * KB, 20)
    expect([pace.isSlow(), pace.wasSlow()]).toEqual([false, false])
    pace = startSourcePace(() => now)
    send(63 * KB, 20)
    expect([pace.isSlow(), pace.wasSlow()]).toEqual([true, true])
  })

  it('is not slow before five seconds have passed, and slow then if nothing was received', () => {
    now = 5 * SECOND_MS - 1
    expect(pace.isSlow()).toBe(false)
    now = 5 * SECOND_MS
    expect(pace.isSlow()).toBe(true)
  })

  it('may become slow and fast again, and wasSlow stays true', () => {
    const fast = send(1_024 * KB, 10)
    expect(pace.isSlow()).toBe(false)
    const slow = send(KB, 6, fast)
    expect(pace.isSlow()).toBe(true)
    send(1_024 * KB, 6, slow)
    expect([pace.isSlow(), pace.wasSlow()]).toEqual([false, true])
  })

  it('is not measured any more after the last byte', () => {
    send(1_024 * KB, 4)
    pace.end()
    now += 60 * SECOND_MS
    expect([pace.isSlow(), pace.wasSlow()]).toEqual([false, false])
  })

  it('is measured correctly when progress is reported seldom', () => {
    now = 4 * SECOND_MS
    pace.note(4_000 * KB)
    now = 8 * SECOND_MS
    expect(pace.isSlow()).toBe(false)
    now = 9 * SECOND_MS
    expect(pace.isSlow()).toBe(true)
  })
})
