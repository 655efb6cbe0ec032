import { describe, expect, it } from 'vitest'

import { createLimitWatch } from './task-limits'

const MB = 1024 * 1024
const LIMITS = { memoryBytes: 100 * MB, stuckCpuMs: 500, cpuMs: 1_000, cpuMsPerMegabyte: 100 }
const open = () => createLimitWatch(LIMITS, { cpuMs: 0, memoryBytes: 50 * MB })

describe('the limits of a task', () => {
  it('allow CPU time for each megabyte that was read', () => {
    const watch = open()
    watch.note({ bytes: 10 * MB, rows: 0, expectedBytes: null })
    expect(watch.check({ cpuMs: 1_900, memoryBytes: 50 * MB })).toBeUndefined()
    watch.note({ bytes: 10 * MB, rows: 1, expectedBytes: null })
    expect(watch.check({ cpuMs: 2_100, memoryBytes: 50 * MB })?.message).toContain('CPU time')
  })

  it('count the bytes of a container while its rows are counted from the beginning', () => {
    const watch = open()
    watch.note({ bytes: 100 * MB, rows: 0, expectedBytes: null })
    expect(watch.check({ cpuMs: 9_000, memoryBytes: 50 * MB })).toBeUndefined()
    watch.note({ bytes: MB, rows: 10, expectedBytes: null })
    expect(watch.check({ cpuMs: 10_500, memoryBytes: 50 * MB })).toBeUndefined()
  })

  it('end a task that reads nothing more', () => {
    const watch = open()
    watch.note({ bytes: 100 * MB, rows: 0, expectedBytes: null })
    expect(watch.check({ cpuMs: 100, memoryBytes: 50 * MB })).toBeUndefined()
    expect(watch.check({ cpuMs: 700, memoryBytes: 50 * MB })).toBeDefined()
  })
})
