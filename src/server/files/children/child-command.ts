import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { WITHOUT_DEBUGGER } from '../../process/without-debugger.mjs'
import type { ChildCommand } from './child-link'

/** Limit of a child's JavaScript heap; the bytes it reads are in buffers outside the heap. */
const HEAP_MEGABYTES = 64

/** What a child may access. */
export interface ChildReach {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  /** The maximum size of a source, decompressed. */
  maxBytes: number
  /** Folder of the stored files, which a child may read. */
  filesDir: string
  /** Folder of the scratch files, which a child may write. */
  draftsDir: string
  /** All environment variables of a child. */
  env: Record<string, string>
}

/**
 * The command line of the file reader process, for `startChild`. The build runs under Node's
 * permission model: it may read its own code and the stored files and write scratch files, but start
 * no processes. The TypeScript sources run without it, since their compiler starts a process.
 */
export function toChildCommand({
  allow,
  maxBytes,
  filesDir,
  draftsDir,
  env,
}: ChildReach): ChildCommand {
  const isBuilt = import.meta.url.endsWith('.js')
  const toPath = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const program = toPath(isBuilt ? './file-reader.js' : './child.ts')
  const confinement = new URL(
    isBuilt ? './file-reader-confinement.js' : './confine.mjs',
    import.meta.url,
  )
  const runtime = isBuilt
    ? toPermissions([dirname(program), findPackages(), filesDir, draftsDir], draftsDir)
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
      JSON.stringify({ allow, maxBytes }),
    ],
    env,
  }
}

function toPermissions(readable: string[], writable: string): string[] {
  return [
    '--permission',
    // Older Node versions do not have this permission and never restrict the network.
    ...(process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
    ...readable.map((path) => `--allow-fs-read=${path}${sep}`),
    `--allow-fs-write=${writable}${sep}`,
  ]
}

/** The `node_modules` folder that the build imports from. */
function findPackages(): string {
  const [folder] = createRequire(import.meta.url)
    .resolve('zod')
    .split(`${sep}zod${sep}`)
  return folder ?? ''
}
