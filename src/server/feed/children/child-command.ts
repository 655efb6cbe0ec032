import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ChildCommand } from './child-link'

/** The JavaScript heap of a child; what it reads passes through buffers beside it. */
const HEAP_MEGABYTES = 64

/** What a child may reach. */
export interface ChildReach {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  /** Most bytes that may come out of one source, decompressed. */
  maxBytes: number
  /** Folder of the stored files, which a child may read. */
  filesDir: string
  /** Folder of the scratch files, which a child may write. */
  draftsDir: string
  /** The whole environment of a child. */
  env: Record<string, string>
}

/**
 * The program that reads feeds, as `startChild` takes it. From the build it runs under Node's
 * permission model: it reads its own code and the stored files, writes scratch files, and starts no
 * programs. From the sources it runs without, since their compiler is a program of its own.
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
  const program = toPath(isBuilt ? './feed-child.js' : './child.ts')
  const runtime = isBuilt
    ? toPermissions([dirname(program), findPackages(), filesDir, draftsDir], draftsDir)
    : ['--import', import.meta.resolve('tsx')]
  return {
    program: process.execPath,
    args: [
      `--max-old-space-size=${HEAP_MEGABYTES}`,
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
    // Older versions know no such permission, and let every process use the network.
    ...(process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
    ...readable.map((path) => `--allow-fs-read=${path}${sep}`),
    `--allow-fs-write=${writable}${sep}`,
  ]
}

/** The folder of the installed packages that the build imports. */
function findPackages(): string {
  const [folder] = createRequire(import.meta.url)
    .resolve('zod')
    .split(`${sep}zod${sep}`)
  return folder ?? ''
}
