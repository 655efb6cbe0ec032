import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ChildExit } from '../../server/files/children/child-link'
import { createChildReader } from '../../server/files/children/reader-in-children'
import type { TaskLimits } from '../../server/files/children/task-limits'
import type { FileReaders, TaskKind } from '../../server/files/file-readers'
import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { columnPolicySchema } from '../../shared/schemas/column-policy'
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
  return createChildReader({
    command,
    concurrency: {
      ingest: 1,
      preview: 1,
      filter: 1,
      sample: 1,
      stockTexts: 1,
      browse: 1,
      comparison: 1,
      comparisonList: 1,
      goneItems: 1,
      delta: 1,
      compress: 1,
    },
    limits: { stuckCpuMs: 500, ...limits },
    onUnexpectedExit: (end) => deaths.push(end),
  })
}

async function reopen(limits: Partial<TaskLimits>): Promise<void> {
  await reader.close()
  reader = open(limits)
}

/** Runs a task with a source URL that makes the fake child misbehave: its protocol says how. */
function attempt(kind: TaskKind, deed: string, options = { signal }): Promise<unknown> {
  const source = { type: 'URL', url: `${deed}//source` } as const
  const reading = AUTOMATIC_READING
  switch (kind) {
    case 'ingest': {
      const [path, { roles, stockTexts }] = ['/nowhere', columnPolicySchema.parse({})]
      const drafts = { source: path, rewritten: path, keys: path, keyRuns: path }
      const keys = { roles, stockTexts }
      const task = { source, drafts, keys, categoryReading: null, reading, previousEncoding: null }
      return reader.run(kind, task, options)
    }
    case 'preview':
      return reader.run(kind, { source, reading }, options)
    default: {
      const selection = { categoryReading: null, categories: [], format: null }
      const task = { file: source.url, draft: '/nowhere', ...selection }
      return reader.run('filter', task, options)
    }
  }
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
  ])('fails its own feed only when it %s', async (_what, deed, error) => {
    if (error !== TIME) await reopen({ stuckCpuMs: Infinity })
    await expect(attempt('ingest', deed)).rejects.toMatchObject(error)
    expect(deaths).toHaveLength(1)
    expect(await attempt('ingest', 'fine:')).toEqual({ kind: 'unchanged' })
  })

  it.each(['preview', 'filter'] as const)('fails the same way when it is a %s', async (kind) => {
    await expect(attempt(kind, 'loop:')).rejects.toMatchObject(TIME)
    await expect(attempt(kind, 'babble:')).rejects.toMatchObject(ENDED)
  })
})

describe('a task that ignores its abort', () => {
  it.each(['loop:', 'deaf:'])('is killed when its signal fires: %s', async (deed) => {
    await reopen({ stuckCpuMs: Infinity })
    const stopping = new AbortController()
    const working = attempt('ingest', deed, stopping)
    const reason = new Error('No longer needed')
    stopping.abort(reason)
    await expect(working).rejects.toBe(reason)
    expect(await attempt('ingest', 'fine:')).toEqual({ kind: 'unchanged' })
  })

  it('is killed when the reader closes', async () => {
    const working = attempt('ingest', 'deaf:')
    const closing = reader.close()
    await expect(working).rejects.toThrow('The program is stopping')
    await closing
  })
})

describe('a child process', () => {
  it('runs the next task after the first', async () => {
    await attempt('ingest', 'fine:')
    await attempt('ingest', 'fine:')
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
