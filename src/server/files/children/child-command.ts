import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { WITHOUT_DEBUGGER } from '../../process/without-debugger.mjs'
import type { ChildCommand } from './child-link'

/** Limit of a child's JavaScript heap; the bytes it reads are in buffers outside the heap. */
const HEAP_MEGABYTES = 64

/** What children are told. */
export interface ChildSettings {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  /** The maximum size of a source. */
  maxBytes: number
  /** All environment variables of a child. */
  env: Record<string, string>
}

/**
 * The command lines of the processes that fetch and that read files, for `startChild`. The build runs under
 * Node's permission model: they may read their own code and no other file, write none and start no process,
 * and only a fetcher has the network. The TypeScript sources run without it, since their compiler starts a
 * process.
 */
export function toChildCommands({ allow, maxBytes, env }: ChildSettings): {
  fetcher: ChildCommand
  reader: ChildCommand
} {
  return {
    fetcher: toCommand('fetcher', env, NETWORK, [JSON.stringify({ allow, maxBytes })]),
    reader: toCommand('reader', env, [], []),
  }
}

/** Older Node versions do not have this permission and never restrict the network. */
const NETWORK = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []

function toCommand(
  name: 'fetcher' | 'reader',
  env: Record<string, string>,
  permissions: string[],
  settings: string[],
): ChildCommand {
  const isBuilt = import.meta.url.endsWith('.js')
  const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const program = toPath(isBuilt ? `./${name}.js` : `./${name}/${name}.ts`)
  const confinement = new URL(isBuilt ? './child-confinement.js' : './confine.mjs', import.meta.url)
  const code = [dirname(program), findPackages()]
  const runtime = isBuilt
    ? ['--permission', ...permissions, ...code.map(toReadable)]
    : ['--import', import.meta.resolve('tsx')]
  return {
    program: process.execPath,
    args: [
      ...WITHOUT_DEBUGGER,
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      '--import',
      confinement.href,
      ...runtime,
      program,
      ...settings,
    ],
    env,
    // The compiler of the sources writes a cache.
    ...(isBuilt && { code }),
  }
}

const toReadable = (path: string) => `--allow-fs-read=${path}${sep}`

/** The `node_modules` folder that the build imports from. */
function findPackages(): string {
  const [folder] = createRequire(import.meta.url)
    .resolve('zod')
    .split(`${sep}zod${sep}`)
  return folder ?? ''
}
