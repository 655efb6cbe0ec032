import { afterAll, describe, expect, it } from 'vitest'

import { cases } from './cases'
import { openGrowthProcesses } from './processes'

const processes = openGrowthProcesses()
afterAll(() => processes.close())

/** More than the processes take that measure: they have limits of their own. */
const LIMIT_MS = 1_800_000

describe('what others send', () => {
  it.concurrent.each(Object.keys(cases))(
    'takes time in proportion to its size, and bounded memory: %s',
    async (name) => {
      expect(await processes.findExcess(name)).toBe('')
    },
    LIMIT_MS,
  )
})

describe('the growth measurement', () => {
  it.concurrent.each([
    ['a backtracking pattern', 'ms of CPU'],
    ['a nested loop', 'ms of CPU'],
    ['a nested loop over what may be larger', 'ms of CPU'],
    ['unbounded memory', 'ends the process'],
    ['retained prefixes', 'bytes are held'],
    ['prefixes that are freed at the end', 'bytes are held'],
    ['a long input', 'bytes are held'],
  ])(
    'detects %s',
    async (name, problem) => {
      expect(await processes.findExcess(name)).toContain(problem)
    },
    LIMIT_MS,
  )

  it(
    'aborts a run that does not end',
    async () => {
      const excess = await processes.findExcess('an endless loop', 5_000)
      expect(excess).toMatch(/^(?:letters|headers) .*: does not end within 5 s$/)
    },
    LIMIT_MS,
  )
})
