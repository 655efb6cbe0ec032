import { formatCount, formatCountOf } from '../../../../shared/format'
import { mapLimited } from '../../../concurrency/map-limited'
import { findDatabaseProblems, readDatabaseContent } from '../../../db/database-content'
import { findSchemaDifferences } from '../../../db/schema-differences'
import type { RunSql } from '../../../db/sqlite/run-sql'
import { SqlProcessError } from '../../../db/sqlite/sql-process'
import { DomainError } from '../../../domain/errors'
import { codeOf } from '../../../process/error-code'
import type { SecretBox } from '../../../secrets/secret-box'
import type { BackupContents, BackupManifest } from '../../../storage/backup-manifest'
import { checkSignature } from '../../../storage/backup-signature'
import type { BackupParts } from '../../../storage/backup-store'
import type { StoredFile } from '../../../storage/file-store'

/** A bucket lets wait for each request. In memory, each file has two parts of an upload at most. */
export const FILES_AT_ONCE = 8

type Verification = {
  signal: AbortSignal
  /** The inventory files that are read; all of them by default, as before a backup is restored. */
  files?: readonly StoredFile[]
  /** Called before each file is read, with the number of files done. */
  onFile?(done: number): Promise<void>
  /** Replaces a damaged file, which is then checked once more. */
  replaceFile?(sha256: string): Promise<void>
  /** Reads the database; in a thread by default. */
  runSql?: RunSql
}

/**
 * Reads a backup back from the disk and checks its hashes and sizes, every page of the database, the schema, the
 * row counts, that it has every inventory file that the database names, and these files. A new backup must pass
 * before it is listed, and any backup as a whole before it is restored.
 * @throws DomainError INVALID with what is wrong
 */
export async function verifyBackup(
  parts: BackupParts,
  contents: BackupContents,
  verification: Verification,
): Promise<void> {
  const { signal, runSql } = verification
  const measured = await parts.measureDatabase(signal)
  if (!isSame(measured, contents.database)) throw damaged('the database was changed')
  await readDatabase(() => verifyDatabase(parts.databasePath, contents, signal, runSql))
  await mapLimited(verification.files ?? contents.files, FILES_AT_ONCE, async (file, index) => {
    await verification.onFile?.(index)
    await verifyFile(parts, file, verification)
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
async function verifyDatabase(
  path: string,
  expected: BackupContents,
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
  const { migrations, rowCounts, files } = await readDatabaseContent(path, signal, runSql)
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
  const known = new Map(expected.files.map((file) => [file.sha256, file]))
  const missing = files.find((file) => !isSame(known.get(file.sha256), file))
  if (missing) throw damaged(`the inventory file ${missing.sha256} is missing`)
}

/** @throws DomainError INVALID for a manifest that was not signed with these secrets */
export function requireOwnSignature(secrets: SecretBox, manifest: BackupManifest): void {
  if (checkSignature([secrets], manifest) === 'valid') return
  throw damaged('its manifest was changed')
}

async function verifyFile(
  parts: BackupParts,
  file: StoredFile,
  { signal, replaceFile }: Verification,
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
