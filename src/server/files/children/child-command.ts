import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { RUN_SOURCES } from '../../process/source-options'
import { WITHOUT_DEBUGGER } from '../../process/without-debugger.mjs'
import type { ChildCommand } from './child-link'
import { isBoundToRoot } from './own-user'

/** Limit of a child's JavaScript heap; the bytes it reads are in buffers outside the heap. */
const HEAP_MEGABYTES = 64
/** Of its young objects. With more, as is the default, V8 marks such a small heap again and again. */
const YOUNG_MEGABYTES = 8
/** Threads that compile would each keep some megabytes, which they could share. */
const SHARED_ALLOCATIONS = { MALLOC_ARENA_MAX: '1' }
/**
 * With so small a limit V8 would collect after each few files, and throw away what it has compiled for them: the
 * heap may grow to four times what is in use before. For so little, threads that help take more than they save.
 */
const COLLECTION = ['--heap-growing-percent=300', '--single-threaded-gc']

/** What children are told. */
export interface ChildSettings {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  /** The maximum size of a source. */
  maxBytes: number
  /** The value of `FETCH_PROXY`, if it is set. */
  proxy?: string | undefined
  /** All environment variables of a child, besides. */
  env: Record<string, string>
}

/**
 * The command lines of the processes that fetch and that read files, for `startChild`. The build runs under
 * Node's permission model: they may read their own code and no other file, write none and start no process,
 * and only a fetcher has the network. The TypeScript sources run without it, since their compiler starts a
 * process.
 */
export function toChildCommands({ allow, maxBytes, proxy, env }: ChildSettings): {
  fetcher: ChildCommand
  reader: ChildCommand
} {
  return {
    fetcher: toCommand(
      'fetcher',
      // Everybody on the machine can read the arguments.
      { ...env, ...(proxy !== undefined && { FETCH_PROXY: proxy }) },
      NETWORK,
      { allow, maxBytes },
    ),
    reader: toCommand('reader', env, [], { maxBytes }),
  }
}

/** The command line of the inbox, which is told by its parent what it listens on. */
export const toInboxCommand = (env: Record<string, string>): ChildCommand =>
  toCommand('inbox-child', env, NETWORK, {})

/** Older Node versions do not have this permission and never restrict the network. */
const isNetworkRestricted = process.allowedNodeEnvironmentFlags.has('--allow-net')
const NETWORK = isNetworkRestricted ? ['--allow-net'] : []
const isBuilt = import.meta.url.endsWith('.js')
const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What does not keep the processes that fetch and read files from the rest, as it would elsewhere. */
export function findMissingWalls(): { text: string; advice: string }[] {
  const walls = []
  if (!isNetworkRestricted) {
    const text = `Node ${process.versions.node} cannot take the network from processes that read files`
    walls.push({ text, advice: 'Run the product with the Node 26 that it brings along.' })
  }
  if (isBuilt && isBoundToRoot(findCode())) {
    const text =
      'Processes that fetch and read files run as root, since no other user can read their code'
    walls.push({
      text,
      advice: 'Run the product as an ordinary user, or let others read its folder.',
    })
  }
  return walls
}

const SOURCES = {
  fetcher: './fetcher/fetcher.ts',
  reader: './reader/reader.ts',
  'inbox-child': '../../inbox/inbox.ts',
}

function toCommand(
  name: keyof typeof SOURCES,
  env: Record<string, string>,
  permissions: string[],
  settings: object,
): ChildCommand {
  const program = toPath(isBuilt ? `./${name}.js` : SOURCES[name])
  const confinement = new URL(isBuilt ? './child-confinement.js' : './confine.mjs', import.meta.url)
  const code = findCode()
  const runtime = isBuilt ? ['--permission', ...permissions, ...code.map(toReadable)] : RUN_SOURCES
  return {
    program: process.execPath,
    args: [
      ...WITHOUT_DEBUGGER,
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      `--max-semi-space-size=${YOUNG_MEGABYTES}`,
      ...COLLECTION,
      '--import',
      confinement.href,
      ...runtime,
      program,
      JSON.stringify(settings),
    ],
    env: { ...env, ...SHARED_ALLOCATIONS },
    // What runs the sources writes a cache.
    ...(isBuilt && { code }),
  }
}

const toReadable = (path: string) => `--allow-fs-read=${path}${sep}`

/** The folders of the build and of its packages. */
const findCode = () => [toPath('.'), findPackages()].map((path) => path.replace(/[/\\]$/, ''))

/** The `node_modules` folder that the build imports from. */
function findPackages(): string {
  const [folder] = createRequire(import.meta.url)
    .resolve('zod')
    .split(`${sep}zod${sep}`)
  return folder ?? ''
}
