import { fileURLToPath } from 'node:url'

import { createOrphanGuard } from '../../../files/children/orphan-guard'
import { startReaderProcess } from '../../../files/children/reader/reader-process'
import { defaultTaskLimits } from '../../../files/children/reader/task-limits'
import type { BrowseTask } from '../../../files/file-readers'

// A script that, bundled beside hostile-child, starts a child process in an endless loop, prints the child's id, and waits until
// it is killed.
const program = fileURLToPath(new URL('./hostile-child.js', import.meta.url))
const child = await startReaderProcess(
  { program: process.execPath, args: [program], env: {} },
  { ...defaultTaskLimits, stuckCpuMs: Infinity, cpuMs: Infinity },
)
createOrphanGuard().add(child.pid)
process.stdout.write(`${child.pid}\n`)
const task = {
  file: 'loop://file',
  from: { offset: 0, row: 0 },
  delimiter: ',',
  columns: [],
  query: '',
  maxRows: 1,
  maxBytes: 1,
} satisfies BrowseTask
await child.run('browse', task, { signal: new AbortController().signal })
