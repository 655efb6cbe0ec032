import { afterAll, describe, expect, it } from 'vitest'

import { createGrowthProcesses } from './processes'
import { listSubjects } from './subjects'

const subjects = await listSubjects()
const measured = subjects.flatMap(({ name, growthCase }) =>
  growthCase && !('exempt' in growthCase) ? name : [],
)
const processes = createGrowthProcesses(2)
afterAll(() => processes.close())

describe('a function that processes untrusted text', () => {
  it.concurrent.each(measured)(
    'takes at most 2.6 times the time and memory for twice the input: %s',
    async (name) => {
      const excess = await processes.findExcess(name)
      expect(excess, excess.join('; ')).toEqual([])
    },
    600_000,
  )
})

describe('the growth measurement', () => {
  it.concurrent.each([
    ['a backtracking pattern', 'ms of CPU'],
    ['a nested loop', 'ms of CPU'],
    ['unbounded memory', 'It ended the process'],
    ['retained prefixes', 'bytes are retained'],
  ])(
    'detects %s',
    async (name, problem) => {
      expect((await processes.findExcess(name)).join()).toContain(problem)
    },
    600_000,
  )

  it('aborts a case that does not finish', async () => {
    expect(await processes.findExcess('an endless loop', 1_000)).toEqual([
      'It did not end within 1 s',
    ])
  })
})
