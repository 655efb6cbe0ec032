import { foldName } from '../../../../shared/categories'
import { formatCount } from '../../../../shared/format'
import type { Deps } from '../../../domain/deps'
import { MAX_KEYED_ROWS } from '../../../files/keys/key-file'
import type { VersionRecord } from '../versions/versions.queries'

type Versions = { older: VersionRecord; newer: VersionRecord }

/** Returns why two versions cannot be compared by their keys; null when they can. */
export async function findObstacle(
  { files }: Deps,
  { older, newer }: Versions,
): Promise<string | null> {
  const sides = [
    { name: 'The “From” file', version: older },
    { name: 'The “To” file', version: newer },
  ]
  const tooLarge = sides.filter(({ version }) => isTooLarge(version))
  if (tooLarge.length > 0) {
    const found = tooLarge.map(
      ({ name, version }) => `${name} has ${formatCount(version.rowCount)}.`,
    )
    return `Files with more than ${formatCount(MAX_KEYED_ROWS)} rows are not compared. ${found.join(' ')}`
  }
  const keyless = sides.filter(({ version }) => version.keysSha256 === null)
  if (keyless.length > 0) {
    const found = keyless.map(({ name }) => `${name} was stored without a column of SKUs.`)
    return `${found.join(' ')} ${CHOOSE_COLUMN}`
  }
  const [from, to] = [older.keyColumn ?? '', newer.keyColumn ?? '']
  if (foldName(from) !== foldName(to)) {
    return `The SKUs of the two files are in different columns: “${from}” and “${to}”. ${CHOOSE_COLUMN}`
  }
  for (const { name, version } of sides) {
    const parts = [version.sha256, version.keysSha256 ?? '']
    const stored = await Promise.all(parts.map((sha256) => files.has(sha256)))
    if (!stored.every(Boolean)) return `${name} is no longer stored.`
  }
  return null
}

const CHOOSE_COLUMN = 'You can choose it on Data Connections, under Columns, for the files to come.'

const isTooLarge = ({ rowCount, keysSha256 }: VersionRecord) =>
  keysSha256 === null && rowCount > MAX_KEYED_ROWS
