import { join } from 'node:path'

/** Where the rows are: in an SQLite file, or in PostgreSQL, and `databaseFile` is not used then. */
export type DatabasePlace = { databaseFile: string; postgresUrl: string | undefined }

/** Where the rows are, without a password. */
export function describeDatabase({ postgresUrl, databaseFile }: DatabasePlace): string {
  if (postgresUrl === undefined) return databaseFile
  const { host, pathname } = new URL(postgresUrl)
  return `PostgreSQL at ${host}${pathname}`
}

/** The place that DATABASE_URL names, or by default a file in the data folder. */
export function toDatabasePlace(url: string | undefined, dataDir: string): DatabasePlace {
  const isFile = url?.startsWith('sqlite:')
  return {
    databaseFile: isFile ? url!.replace(/^sqlite:/, '') : join(dataDir, 'app.db'),
    postgresUrl: isFile ? undefined : url,
  }
}
