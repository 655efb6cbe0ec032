import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { openBench } from './bench'
import { createCleanups, type Cleanups } from './cleanups'
import { atLeast } from './goal'
import type { Growth } from './growth'
import type { Sources } from './repository'
import type { Measured, Row } from './row'
import { measureAndTell } from './run-bench'
import { Skipped } from './skipped'

const FINE: Measured = { value: 1, ours: '1 s', peer: '1 s' }
const growth: Growth = {
  name: 'growth with files',
  measure: async () => [
    { what: 'a sync', sizes: ['1 MB', '2 MB', '3 MB'], costs: ['1 s', '2 s', '3 s'] },
  ],
}

let cleanups: Cleanups
let output: { printed: string; errors: string; saved: string[] }

beforeEach(() => {
  cleanups = createCleanups()
  output = { printed: '', errors: '', saved: [] }
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (output.printed += text))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (output.errors += text))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanups.run()
})

/** A row with one part. */
const row = (number: number, measure: Row['measure']): Row => ({
  number,
  name: `row-${number}`,
  parts: [{ what: `figure ${number}`, goal: atLeast(0.7) }],
  measure,
})

type Run = {
  rows?: Row[]
  growths?: Growth[]
  isSaved?: boolean
  missing?: string[]
  /** Before and after the run. */
  sources?: (Sources | undefined)[]
}

const COMMIT = { commit: 'a1b2c3', isChanged: false }

async function run({
  rows = [row(1, async () => [FINE])],
  growths = [growth],
  isSaved = false,
  missing = [],
  sources = [COMMIT, COMMIT],
}: Run): Promise<number> {
  const options = { runs: 2, isQuick: false, isJson: false }
  const bench = await openBench({ ...options, only: [], isGrowth: false, isSaved }, cleanups)
  const read = [...sources]
  const repository = {
    readSources: async () => read.shift(),
    writeResults: async (text: string) => void output.saved.push(text),
  }
  return measureAndTell({ rows, growths }, bench, { isJson: false, isSaved, missing, repository })
}

it('a row that fails is named with its error, the others go on, and the command fails', async () => {
  const rows = [
    row(1, () => Promise.reject(new Error('A sync was held'))),
    row(2, async () => [FINE]),
  ]
  expect(await run({ rows })).toBe(1)
  expect(output.errors).toContain('1 row-1 failed: A sync was held')
  expect(output.printed).toMatch(/figure 1 +\|.*\| failed/)
  expect(output.printed).toMatch(/figure 2 +\|.*\| pass/)
  expect(output.printed).toContain('1 MB: 1 s')
})

it('a growth that fails is named as well', async () => {
  const failing = { name: 'growth with sets', measure: () => Promise.reject(new Error('Held')) }
  expect(await run({ growths: [failing, growth] })).toBe(1)
  expect(output.errors).toContain('growth with sets failed: Held')
  expect(output.printed).toContain('1 MB: 1 s')
})

it.each([
  ['gave no number', [{ ...FINE, value: NaN }]],
  ['has no figure', []],
])('a row that %s fails', async (_, measured) => {
  expect(await run({ rows: [row(1, async () => measured)] })).toBe(1)
  expect(output.errors).toContain('There is no figure for: figure 1')
})

it('a goal that is not reached fails nothing, nor does a row that this machine cannot measure', async () => {
  const rows = [
    row(1, async () => [{ ...FINE, value: 0.1 }]),
    row(2, () => Promise.reject(new Skipped('nginx is not installed'))),
  ]
  expect(await run({ rows })).toBe(0)
  expect(output.printed).toMatch(/figure 1 +\|.*\| short/)
  expect(output.errors).toContain('2 row-2 skipped: nginx is not installed')
})

it('a part of a row that this machine cannot measure is told, and the others are measured', async () => {
  const parts = ['yauzl', 'pandas'].map((what) => ({ what, goal: atLeast(0.7) }))
  const measure = async () => [FINE, new Skipped('pandas is not installed')]
  expect(await run({ rows: [{ ...row(1, measure), parts }] })).toBe(0)
  expect(output.printed).toMatch(/yauzl +\|.*\| pass/)
  expect(output.printed).toMatch(/pandas +\|.*\| skipped/)
  expect(output.errors).toContain('1 row-1 skipped: pandas is not installed')
})

it('a whole run on one commit is saved, with its commit and machine', async () => {
  expect(await run({ isSaved: true })).toBe(0)
  const [text = ''] = output.saved
  expect(text).toContain('- Commit: `a1b2c3`\n- Date: 20')
  expect(text).toContain(`- Node: ${process.version}`)
  expect(text).toContain('runs, 2 of each')
  expect(text).toMatch(/figure 1[^]*## Growth[^]*1 MB: 1 s/)
})

it('a run is not saved unless that is asked for', async () => {
  await run({})
  expect(output.saved).toEqual([])
})

it.each([
  [[{ ...COMMIT, isChanged: true }], 'files differ from the commit'],
  [[undefined], 'git knows of no commit'],
  [[COMMIT, { ...COMMIT, isChanged: true }], 'files differ from the commit'],
  [[COMMIT, { ...COMMIT, commit: 'd4e5f6' }], 'another commit was checked out meanwhile'],
])('a run on %j is not saved', async (sources, reason) => {
  expect(await run({ isSaved: true, sources })).toBe(1)
  expect(output.errors).toContain(`RESULTS.md is left as it is: ${reason}`)
  expect(output.saved).toEqual([])
  // What is known before the run is told before it.
  expect(output.printed === '').toBe(sources.length === 1)
})

it('a run is not saved when a row was skipped, or a program is missing', async () => {
  const rows = [row(1, () => Promise.reject(new Skipped('only measured on Linux')))]
  expect(await run({ isSaved: true, rows })).toBe(1)
  expect(output.errors).toContain('1 row-1 was not measured')
  expect(await run({ isSaved: true, missing: ['nginx is missing'] })).toBe(1)
  expect(output.errors).toContain('is left as it is: nginx is missing')
  expect(output.saved).toEqual([])
})

it('a run that was stopped is not saved', async () => {
  const stopping = row(1, async () => {
    await cleanups.run()
    return [FINE]
  })
  const rows = [stopping, row(2, async () => [FINE])]
  expect(await run({ isSaved: true, rows })).toBe(1)
  expect(output.errors).toContain('2 row-2 skipped: the run was stopped')
  expect(output.saved).toEqual([])
})
