import { fileURLToPath } from 'node:url'

import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { createOrphanGuard } from '../../../files/children/orphan-guard'
import { startReaderProcess } from '../../../files/children/reader-process'
import { defaultTaskLimits } from '../../../files/children/task-limits'

// A script that, bundled beside hostile-child, starts a child process in an endless loop, prints the child's id, and waits until
// it is killed.
const program = fileURLToPath(new URL('./hostile-child.js', import.meta.url))
const child = await startReaderProcess(
  { program: process.execPath, args: [program], env: {} },
  { ...defaultTaskLimits, stuckCpuMs: Infinity, cpuMs: Infinity },
)
createOrphanGuard().add(child.pid)
process.stdout.write(`${child.pid}\n`)
const source = { type: 'URL', url: 'loop://source' } as const
const task = { source, reading: AUTOMATIC_READING }
await child.run('preview', task, { signal: new AbortController().signal })
