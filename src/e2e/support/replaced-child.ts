import { chmod, cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { findCurrentBuild } from '../../../scripts/current-build.mjs'

/**
 * Copies the build, in which the program that fetches, the one that reads files or the inbox is taken over by its
 * first message.
 * @param onMessage source code that runs in its place, with the message as `line`
 */
export async function replaceChild(name: 'fetcher' | 'reader' | 'inbox-child', onMessage: string) {
  const build = await mkdtemp(join('dist', 'replaced-'))
  await cp(findCurrentBuild('dist')!, build, { recursive: true })
  // As the folder that it was copied from: another user can read it.
  await chmod(build, 0o755)
  const [program, real] = [join(build, `server/${name}.js`), join(build, `server/real-${name}.js`)]
  await rename(program, real)
  await writeFile(
    program,
    `
    import { spawnSync } from 'node:child_process'
    import * as dgram from 'node:dgram'
    import * as dns from 'node:dns'
    import * as fs from 'node:fs'
    import * as net from 'node:net'
    import { setPriority } from 'node:os'
    import * as nodeProcess from 'node:process'
    import { Worker } from 'node:worker_threads'
    const { kill } = nodeProcess
    process.stdin.once('data', async (line) => {
      process.stdin.removeAllListeners('data')
      ${onMessage}
    })
    await import('./real-${name}.js')
    `,
  )
  return {
    main: join(build, 'server/main.js'),
    remove: () => rm(build, { recursive: true }),
  }
}
