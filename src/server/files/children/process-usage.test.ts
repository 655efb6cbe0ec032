import { expect, it } from 'vitest'

import { measureProcess } from './process-usage'

it('measures the processor time and the memory of a process', async () => {
  const before = process.cpuUsage()
  const { rss } = process.memoryUsage()
  const usage = await measureProcess(process.pid)
  const after = process.cpuUsage()
  // Systems count in steps.
  expect(usage?.cpuMs).toBeGreaterThan((before.user + before.system) / 1_000 - 50)
  expect(usage?.cpuMs).toBeLessThan((after.user + after.system) / 1_000 + 50)
  expect(usage?.memoryBytes).toBeGreaterThan(rss / 2)
  expect(usage?.memoryBytes).toBeLessThan(rss * 2)
})

it('has nothing to tell of a process that has exited', async () => {
  expect(await measureProcess(2 ** 30)).toBeUndefined()
})
