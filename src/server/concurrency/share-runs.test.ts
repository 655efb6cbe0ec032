import { expect, it } from 'vitest'

import { shareRuns } from './share-runs'

it('shares a run among all who ask while another one is going on, and none with those before', async () => {
  const ends: (() => void)[] = []
  const run = shareRuns(() => new Promise<void>((resolve) => ends.push(resolve)))
  const done: string[] = []
  const ask = (name: string) => run().then(() => done.push(name))
  const asked = [ask('first'), ask('second'), ask('third')]
  expect(ends).toHaveLength(1)
  ends[0]!()
  await asked[0]
  await expect.poll(() => ends.length).toBe(2)
  expect(done).toEqual(['first'])
  ends[1]!()
  await Promise.all(asked)
  expect([ends.length, done]).toEqual([2, ['first', 'second', 'third']])
})

it('fails those who shared a run that failed, and runs again', async () => {
  let count = 0
  const run = shareRuns(async () => {
    count += 1
    if (count === 1) throw new Error('no')
  })
  const [first, second] = await Promise.allSettled([run(), run()])
  expect([first?.status, second?.status, count]).toEqual(['rejected', 'fulfilled', 2])
})
