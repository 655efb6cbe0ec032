import { resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'

import { loadDotEnv, readConfig } from '../src/server/config'
import { openDeps } from '../src/server/deps'
import { withCaller } from '../src/server/domain/caller'
import type { Deps } from '../src/server/domain/deps'
import { DomainError } from '../src/server/domain/errors'
import { createLogger } from '../src/server/observability/logger'
import { prepareDatabase } from '../src/server/start/prepare-database'
import { reportStartFailure } from '../src/server/start/start-failure'

/** Invalid arguments: the message is printed with the help, and the exit code is 2. */
export class UsageError extends Error {}

export type Arguments = {
  values: Record<string, string | boolean | undefined>
  positionals: string[]
}

/**
 * Runs a command-line program: parses arguments, prints `--help`, loads .env and reports errors.
 * Sets the exit code: 0 success, 1 failure, 2 invalid arguments.
 * @param run returns the exit code
 */
export async function runCommand(
  help: string,
  options: NonNullable<ParseArgsConfig['options']>,
  run: (args: Arguments) => Promise<number>,
): Promise<void> {
  try {
    const args = parse(options)
    if (args.values.help) {
      console.log(help)
      return
    }
    loadDotEnv()
    process.exitCode = await run(args)
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${help}`)
      process.exitCode = 2
    } else if (error instanceof DomainError) {
      console.error(error.message)
      process.exitCode = 1
    } else {
      reportStartFailure(error)
    }
  }
}

/**
 * A file or folder that was named on the command line: `stockbridge` runs its commands in the folder of the product,
 * and names are meant from where it was called.
 */
export const fromCaller = (path: string): string =>
  resolve(process.env.STOCKBRIDGE_CALLED_FROM ?? '.', path)

/** Opens and migrates the product's database, runs `work`, and closes it. */
export async function withDeps<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig()
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'error' }))
  try {
    await prepareDatabase(deps, { report: (line) => console.error(line) })
    const script = { origin: 'script', actor: null, address: null } as const
    return await withCaller(script, () => work(deps))
  } finally {
    await close()
  }
}

function parse(options: NonNullable<ParseArgsConfig['options']>): Arguments {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    return { values: values as Arguments['values'], positionals }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
