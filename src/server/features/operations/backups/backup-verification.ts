import { formatCount, formatCountOf } from '../../../../shared/format'
import { mapLimited } from '../../../concurrency/map-limited'
import {
  findDatabaseProblems,
  readDatabaseContent,
  readNamedFiles,
} from '../../../db/database-content'
import { findSchemaDifferences } from '../../../db/schema-differences'
import type { RunSql } from '../../../db/sqlite/run-sql'
import { SqlProcessError } from '../../../db/sqlite/sql-process'
import { DomainError } from '../../../domain/errors'
import { codeOf } from '../../../process/error-code'
import type { SecretBox } from '../../../secrets/secret-box'
import type { BackupContents, BackupManifest } from '../../../storage/backup-manifest'
import { checkSignature } from '../../../storage/backup-signature'
import type { BackupDatabase, BackupFiles } from '../../../storage/backup-store'
import type { StoredFile } from '../../../storage/file-store'

/** A bucket lets wait for each request. In memory, each file has two parts of an upload at most. */
export const FILES_AT_ONCE = 8

/** A bucket lets wait for each request; what is read is not kept. */
export const FILES_READ_AT_ONCE = 32

type Reading = {
  signal: AbortSignal
  /** Reads the database; in a thread by default. */
  runSql?: RunSql
}

/**
 * Reads the database of a backup back from the disk and checks its hash and size, every page, the schema and the row
 * counts. A new backup must pass before it is listed, and any backup before it is restored.
 * @throws DomainError INVALID with what is wrong
 */
export async function verifyDatabase(
  parts: BackupDatabase,
  contents: Pick<BackupContents, 'database' | 'migrations'>,
  { signal, runSql }: Reading,
): Promise<void> {
  const measured = await parts.measureDatabase(signal)
  if (!isSame(measured, contents.database)) throw damaged('the database was changed')
  await readDatabase(() => checkDatabase(parts.databasePath, contents, signal, runSql))
}

/**
 * Checks that a backup has every inventory file that its database names.
 * @param lists its files by the digits with which their hashes begin; an empty text for all of them
 * @throws DomainError INVALID with what is wrong
 */
export async function verifyNamedFiles(
  databasePath: string,
  lists: ReadonlyMap<string, readonly StoredFile[]>,
  { signal, runSql }: Reading,
): Promise<void> {
  const found = await readDatabase(() =>
    readNamedFiles(databasePath, [...lists.keys()], signal, runSql),
  )
  for (const [index, files] of [...lists.values()].entries()) {
    const known = new Map(files.map((file) => [file.sha256, file]))
    const missing = found[index]?.find((file) => !isSame(known.get(file.sha256), file))
    if (missing) throw damaged(`the inventory file ${missing.sha256} is missing`)
  }
}

type Replacing = {
  /** Called before each file is read, with the number of files done. */
  onFile?(done: number): Promise<void>
  /** Replaces a damaged file, which is then checked once more. */
  replaceFile?(sha256: string): Promise<void>
}

/**
 * Reads inventory files of a backup back to check their hashes and sizes.
 * @throws DomainError INVALID with what is wrong
 */
export async function verifyFiles(
  parts: BackupFiles,
  files: readonly StoredFile[],
  signal: AbortSignal,
  { onFile, replaceFile }: Replacing = {},
): Promise<void> {
  await mapLimited(files, FILES_READ_AT_ONCE, async (file, index) => {
    await onFile?.(index)
    await verifyFile(parts, file, signal, replaceFile)
  })
}

/** Reports a database that SQLite refuses to read as damaged. */
async function readDatabase<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const { message } = error as Error
    if (error instanceof SqlProcessError) throw damaged(`reading the database failed: ${message}`)
    throw codeOf(error).startsWith('SQLITE_') ? damaged(message) : error
  }
}

/** Checks the schema first: objects that the product did not create could do anything when read. */
async function checkDatabase(
  path: string,
  expected: Pick<BackupContents, 'database' | 'migrations'>,
  signal: AbortSignal,
  runSql?: RunSql,
) {
  const differences = await findSchemaDifferences(path, expected.migrations, signal, runSql)
  if (differences.length > 0) {
    const some = differences.slice(0, 3).join(', ')
    throw damaged(`the database schema is not the product’s: ${some}`)
  }
  const problems = await findDatabaseProblems(path, signal, runSql)
  if (problems.length > 0)
    throw damaged(`the database has faults: ${problems.slice(0, 3).join('; ')}`)
  const { migrations, rowCounts } = await readDatabaseContent(path, signal, runSql)
  if (migrations.join() !== expected.migrations.join()) {
    throw damaged('the database has other migrations than its manifest')
  }
  const tables = new Set([...Object.keys(rowCounts), ...Object.keys(expected.database.rowCounts)])
  for (const table of tables) {
    const [found, wanted] = [rowCounts[table] ?? 0, expected.database.rowCounts[table] ?? 0]
    if (found !== wanted) {
      throw damaged(`${table} has ${formatCountOf(found, 'row')} instead of ${formatCount(wanted)}`)
    }
  }
}

/** @throws DomainError INVALID for a manifest that was not signed with these secrets */
export function requireOwnSignature(secrets: SecretBox, manifest: BackupManifest): void {
  if (checkSignature([secrets], manifest) === 'valid') return
  throw damaged('its manifest was changed')
}

async function verifyFile(
  parts: BackupFiles,
  file: StoredFile,
  signal: AbortSignal,
  replaceFile: Replacing['replaceFile'],
): Promise<void> {
  if (isSame(await parts.measureFile(file.sha256, signal), file)) return
  await replaceFile?.(file.sha256)
  const again = replaceFile && (await parts.measureFile(file.sha256, signal))
  if (!isSame(again, file)) throw damaged(`the inventory file ${file.sha256} was changed`)
}

function isSame(found: StoredFile | undefined, expected: StoredFile): boolean {
  return found?.sha256 === expected.sha256 && found.sizeBytes === expected.sizeBytes
}

const damaged = (what: string) => new DomainError('INVALID', `The backup is damaged: ${what}`)
