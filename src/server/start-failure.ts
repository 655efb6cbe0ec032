import { ConfigError } from './config'
import { UnsafeDatabaseError } from './db/open'

/** Says in one line why the program cannot start, where that is known, and ends it. */
export function reportStartFailure(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (error instanceof ConfigError || error instanceof UnsafeDatabaseError) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop what runs there, or choose another one: PORT=3001 npm start`
  }
  return error.stack ?? error.message
}
