import { findDatabaseProblems, readDatabaseContent } from '../../db/database-content'
import { findSchemaDifferences } from '../../db/schema-differences'
import { SqlProcessError } from '../../db/sql-process'
import type { RunSql } from '../../db/sql-program'
import { DomainError } from '../../domain/errors'
import type { SecretBox } from '../../secrets/secret-box'
import type { BackupContents, BackupManifest } from '../../storage/backup-manifest'
import { checkSignature } from '../../storage/backup-signature'
import type { BackupParts } from '../../storage/backup-store'
import type { StoredFile } from '../../storage/file-store'

type Verification = {
  signal: AbortSignal
  /** Called before each file is read, with how many have been. */
  onFile?(done: number): Promise<void>
  /** Gives a file that turned out damaged one more chance. */
  replaceFile?(sha256: string): Promise<void>
  /** How the database is read; in a thread, unless it is said. */
  runSql?: RunSql
}

/**
 * Reads a backup back from the disk, everything in it: hashes and sizes, the database from its first
 * page to its last, its schema, its row counts, and every inventory file that it names. A new backup
 * passes this before it is listed, and every backup before it replaces anything.
 * @throws DomainError INVALID that says what is wrong
 */
export async function verifyBackup(
  parts: BackupParts,
  contents: BackupContents,
  verification: Verification,
): Promise<void> {
  const { signal, runSql } = verification
  const measured = await parts.measureDatabase(signal)
  if (!isSame(measured, contents.database)) throw damaged('the database is not what was backed up')
  await readDatabase(() => verifyDatabase(parts.databasePath, contents, signal, runSql))
  for (const [index, file] of contents.files.entries()) {
    await verification.onFile?.(index)
    await verifyFile(parts, file, verification)
  }
}

/** What SQLite refuses to read is damaged, too. */
async function readDatabase<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (error instanceof SqlProcessError) throw damaged(`reading the database failed: ${message}`)
    throw code.startsWith('SQLITE_') ? damaged(message) : error
  }
}

/** The schema first: what is not the product's own might do anything when it is read. */
async function verifyDatabase(
  path: string,
  expected: BackupContents,
  signal: AbortSignal,
  runSql?: RunSql,
) {
  const differences = await findSchemaDifferences(path, expected.migrations, signal, runSql)
  if (differences.length > 0) {
    const some = differences.slice(0, 3).join(', ')
    throw damaged(`the database has another schema than the product makes: ${some}`)
  }
  const problems = await findDatabaseProblems(path, signal, runSql)
  if (problems.length > 0)
    throw damaged(`the database has faults: ${problems.slice(0, 3).join('; ')}`)
  const { migrations, rowCounts, files } = await readDatabaseContent(path, signal, runSql)
  if (migrations.join() !== expected.migrations.join()) {
    throw damaged('the database has another schema than was backed up')
  }
  const tables = new Set([...Object.keys(rowCounts), ...Object.keys(expected.database.rowCounts)])
  for (const table of tables) {
    const [found, wanted] = [rowCounts[table] ?? 0, expected.database.rowCounts[table] ?? 0]
    if (found !== wanted) throw damaged(`${table} has ${found} rows instead of ${wanted}`)
  }
  const known = new Map(expected.files.map((file) => [file.sha256, file]))
  const missing = files.find((file) => !isSame(known.get(file.sha256), file))
  if (missing) throw damaged(`the inventory file ${missing.sha256} is missing`)
}

/** @throws DomainError INVALID for a manifest that these secrets' owner has not signed */
export function requireOwnSignature(secrets: SecretBox, manifest: BackupManifest): void {
  if (checkSignature([secrets], manifest) === 'valid') return
  throw damaged('its manifest is not what was written')
}

async function verifyFile(
  parts: BackupParts,
  file: StoredFile,
  { signal, replaceFile }: Verification,
): Promise<void> {
  if (isSame(await parts.measureFile(file.sha256, signal), file)) return
  await replaceFile?.(file.sha256)
  const again = replaceFile && (await parts.measureFile(file.sha256, signal))
  if (!isSame(again, file)) throw damaged(`the inventory file ${file.sha256} is not what it was`)
}

function isSame(found: StoredFile | undefined, expected: StoredFile): boolean {
  return found?.sha256 === expected.sha256 && found.sizeBytes === expected.sizeBytes
}

const damaged = (what: string) => new DomainError('INVALID', `The backup is damaged: ${what}`)
