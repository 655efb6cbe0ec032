import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ChildExit } from '../../server/files/children/child-link'
import type { TaskLimits } from '../../server/files/children/reader/task-limits'
import { createChildReaders } from '../../server/files/children/readers-in-children'
import type { FileReaders } from '../../server/files/file-readers'
import { PROGRAMS } from './bundle-programs'

const command = {
  program: process.execPath,
  args: ['--max-old-space-size=64', `${PROGRAMS}/hostile-child.js`],
  env: {},
}

const MEMORY = { name: 'FileError', code: 'reading-memory' }
const TIME = { name: 'FileError', code: 'reading-time' }
const ENDED = { name: 'FileError', code: 'reading-ended' }

let reader: FileReaders
let deaths: ChildExit[]
const { signal } = new AbortController()

function open(limits: Partial<TaskLimits> = {}): FileReaders {
  deaths = []
  return createChildReaders({
    commands: { fetcher: command, reader: command },
    concurrency: {
      ingest: 1,
      preview: 1,
      filter: 1,
      sample: 1,
      stockTexts: 1,
      browse: 1,
      comparison: 1,
      changedItems: 1,
      comparisonList: 1,
      goneItems: 1,
      delta: 1,
      digest: 1,
      historyChanges: 1,
      historyFold: 1,
      historyJoin: 1,
      partFile: 1,
      mergedFile: 1,
      matching: 1,
      compress: 1,
      readMail: 1,
      unlockKey: 1,
    },
    limits: { stuckCpuMs: 500, ...limits },
    onUnexpectedExit: (end) => deaths.push(end),
  })
}

async function reopen(limits: Partial<TaskLimits>): Promise<void> {
  await reader.close()
  reader = open(limits)
}

/** Runs a task over a file whose address makes the fake reader misbehave: its scheme says how. */
function attempt(kind: 'browse' | 'filter', deed: string, options = { signal }): Promise<unknown> {
  const file = `${deed}//file`
  if (kind === 'filter') {
    const views = [{ draft: '/nowhere', categories: [], format: null }]
    return reader.run(kind, { file, categoryReading: null, views }, options)
  }
  const bounds = { from: { offset: 0, row: 0 }, maxRows: 1, maxBytes: 1 }
  return reader.run(kind, { file, delimiter: ',', columns: [], query: '', ...bounds }, options)
}

beforeEach(() => {
  reader = open()
})
afterEach(() => reader.close())

describe('a misbehaving task', () => {
  it.each([
    ['never ends', 'loop:', TIME],
    ['fills the heap', 'heap:', MEMORY],
    ['fills memory outside of the heap', 'buffers:', MEMORY],
    ['exits its process', 'exit:', ENDED],
    ['crashes its process', 'crash:', ENDED],
    ['sends an endless message', 'flood:', ENDED],
    ['sends an invalid result', 'babble:', ENDED],
    ['asks for a file of others', 'open:', ENDED],
    ['writes where it must not', 'write:', ENDED],
  ])('fails its own feed only when it %s', async (_what, deed, error) => {
    if (error !== TIME) await reopen({ stuckCpuMs: Infinity })
    await expect(attempt('browse', deed)).rejects.toMatchObject(error)
    expect(deaths).toHaveLength(1)
    expect(await attempt('browse', 'fine:')).toMatchObject({ hasMore: false })
  })

  it('fails the same way when it writes a file', async () => {
    await expect(attempt('filter', 'loop:')).rejects.toMatchObject(TIME)
    await expect(attempt('filter', 'babble:')).rejects.toMatchObject(ENDED)
    await expect(attempt('filter', 'claim:')).rejects.toMatchObject(ENDED)
  })
})

describe('a task that ignores its abort', () => {
  it.each(['loop:', 'deaf:'])('is killed when its signal fires: %s', async (deed) => {
    await reopen({ stuckCpuMs: Infinity })
    const stopping = new AbortController()
    const working = attempt('browse', deed, stopping)
    const reason = new Error('No longer needed')
    stopping.abort(reason)
    await expect(working).rejects.toBe(reason)
    expect(await attempt('browse', 'fine:')).toMatchObject({ hasMore: false })
  })

  it('is killed when the reader closes', async () => {
    const working = attempt('browse', 'deaf:')
    const closing = reader.close()
    await expect(working).rejects.toThrow('The program is stopping')
    await closing
  })
})

describe('a child process', () => {
  it('runs the next task after the first', async () => {
    await attempt('browse', 'fine:')
    await attempt('browse', 'fine:')
    await reader.close()
    expect(deaths).toEqual([])
  })

  it('is killed after its parent was, even in an endless loop', async () => {
    const parent = spawn(process.execPath, [`${PROGRAMS}/reader-of-hostile-children.js`])
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(printed.toString())
    await expect.poll(() => cpuTicks(pid), { timeout: 50_000 }).toBeGreaterThan(100)
    parent.kill('SIGKILL')
    await expect.poll(() => cpuTicks(pid), { timeout: 10_000 }).toBe(0)
  })
})

/** The CPU time of a process in clock ticks, usually 10 ms each; 0 when it has exited. */
function cpuTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return fields[0] === 'Z' ? 0 : Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}
