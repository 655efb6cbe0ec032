import { foldName } from '../../../../shared/categories'
import type { UpdateSettings } from '../../../../shared/schemas/updates'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isSample } from '../../../domain/sample-file'
import type { UpdateTask } from '../../../files/file-readers'
import { findKeyProblem } from '../../../files/merge/unique-keys'
import { findKeyedVersion, type KeyedVersion } from '../versions/updated-versions.queries'

type Updated = Pick<ConnectionRow, 'publishedVersionId' | 'heldVersionId' | 'columnPolicy'>

/** The version onto which the next update is merged: a held one has what earlier updates said. */
export const updatedVersionId = ({
  heldVersionId,
  publishedVersionId,
}: Pick<Updated, 'publishedVersionId' | 'heldVersionId'>): number | null =>
  heldVersionId ?? publishedVersionId

/** Finds what an update of a connection is merged onto, or why there is nothing. */
export async function findUpdateBase(
  deps: Deps,
  connection: Updated,
  settings: Pick<UpdateSettings, 'fullName'>,
): Promise<UpdateTask['base']> {
  const version = await findKeyedVersion(deps.db, updatedVersionId(connection))
  if (!version || isSample(version)) return { whyNone: `${FIRST} ${explainFull(settings)}` }
  const problem = describeKeyProblem(version)
  if (problem !== null) {
    return { whyNone: `The published file cannot be updated: ${problem}. ${explainFull(settings)}` }
  }
  const { keyColumn, keysSha256, keysBytes } = version
  if (keyColumn === null || keysSha256 === null || keysBytes === null) {
    throw new Error('A version without keys is to be updated')
  }
  const chosen = connection.columnPolicy.roles.sku
  if (chosen !== null && foldName(chosen) !== foldName(keyColumn)) {
    return {
      whyNone: `The SKUs are in the column “${chosen}” now, and the published file was read with those in “${keyColumn}”. ${explainFull(settings)}`,
    }
  }
  return {
    file: await deps.files.locate(version.sha256),
    keys: await deps.files.locate(keysSha256),
    keysBytes,
    keyColumn,
    hasHeader: version.dialect.hasHeader,
    categoryColumn: version.categoryReading?.column ?? null,
  }
}

/** Why updates cannot be merged onto a version; null when they can. */
export function describeKeyProblem({
  rowCount,
  keyColumn: column,
  repeatedRows,
  keylessRows,
}: KeyedVersion): string | null {
  const keys =
    column === null
      ? { column }
      : { column, repeatedRows: repeatedRows ?? 0, keylessRows: keylessRows ?? 0 }
  return findKeyProblem({ rowCount, ...keys })
}

const FIRST = 'Nothing is published yet, so the first file must have all items.'

const explainFull = ({ fullName }: Pick<UpdateSettings, 'fullName'>) =>
  fullName === null
    ? 'Send a full file, and say that it is one.'
    : `Send a full file: one whose name fits “${fullName}”, or of which you say that it is full.`
