import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { serveTasks } from '../../../files/children/serve-tasks'

// Replaces the process that reads files: the scheme of the source's URL selects how it misbehaves.
const behaviours: Record<string, () => unknown> = {
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
    writeSync(1, '{"type":"done","result":{"kind":"file","draft":"elsewhere"}}\n')
    return new Promise(() => undefined)
  },
  'deaf:': () => new Promise(() => undefined),
  'fine:': () => ({ kind: 'unchanged' }),
}

serveTasks(async (_kind, task) => {
  const url = new URL('source' in task ? task.source.url : 'file' in task ? task.file : 'fine:')
  return (await behaviours[url.protocol]?.()) as { kind: 'unchanged' }
})
