import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import type { BrowsedRows } from '../../../files/browse'
import { serveTasks } from '../../../files/children/reader/serve-tasks'
import type { TaskFiles } from '../../../files/task-files'

// Replaces the process that reads files: the scheme of its file's address selects how it misbehaves.
const behaviours: Record<string, (files: TaskFiles) => unknown> = {
  'loop:': () => {
    for (;;);
  },
  'heap:': () => {
    const grown = new Set<string>()
    for (let count = 0; ; count++) grown.add(`entry ${count}`)
  },
  'buffers:': async () => {
    const kept: Buffer[] = []
    for (;;) {
      kept.push(Buffer.alloc(4 * 1024 * 1024, 1))
      await sleep(10)
    }
  },
  'exit:': () => process.exit(3),
  'crash:': () => process.kill(process.pid, 'SIGSEGV'),
  'flood:': () => {
    for (;;) writeSync(1, 'x'.repeat(64 * 1024))
  },
  'babble:': () => {
    writeSync(1, '{"type":"done","result":{"rows":"none"}}\n')
    return new Promise(() => undefined)
  },
  /** Asks for what the task has not named. */
  'open:': (files) => files.open('/etc/passwd'),
  'write:': async (files) => (await files.openScratch('/tmp/elsewhere')).finish(),
  'deaf:': () => new Promise(() => undefined),
  // Says that it has written a file that it has not.
  'claim:': () => ({
    files: [
      {
        kind: 'written',
        content: { sha256: 'a'.repeat(64), sizeBytes: 1 },
        rowCount: 1,
        columns: [],
        columnCount: 0,
        headRows: [],
        problems: [],
      },
    ],
  }),
  'fine:': () => ({ rows: [], end: { offset: 0, row: 0 }, hasMore: false }),
}

serveTasks(async (_kind, task, { files }) => {
  const { protocol } = new URL('file' in task ? task.file : 'fine:')
  return (await behaviours[protocol]?.(files)) as BrowsedRows
})
