import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { findCurrentBuild } from '../../../scripts/current-build.mjs'

/**
 * Copies the build and replaces the program that reads files.
 * @param onTask source code that runs when the program receives a `task`
 */
export async function replaceReader(onTask: string) {
  const build = await mkdtemp(join('dist', 'replaced-'))
  await cp(findCurrentBuild('dist')!, build, { recursive: true })
  const program = `
    import * as fs from 'node:fs'
    import { spawnSync } from 'node:child_process'
    import { setPriority } from 'node:os'
    import * as nodeProcess from 'node:process'
    import { Worker } from 'node:worker_threads'
    const { kill } = nodeProcess
    process.on('SIGTERM', () => undefined)
    process.stdout.write('{"type":"ready"}\\n')
    process.stdin.once('data', (line) => {
      const { task } = JSON.parse(line)
      ${onTask}
    })
  `
  await writeFile(join(build, 'server/file-reader.js'), program)
  return {
    main: join(build, 'server/main.js'),
    remove: () => rm(build, { recursive: true }),
  }
}
