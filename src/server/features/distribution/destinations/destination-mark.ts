import { createHash } from 'node:crypto'

import type { Db } from '../../../db/open'
import { readWatchedDestinations, type Watched } from './destination-marks.queries'

/** What is shown of destinations: another mark whenever one of them, or what waits for it, is another one. */
type DestinationMark = { mark: string; retailerIds: number[] }

/** Reads it of a retailer, of the merged file of a company, or of the newest destinations of a supplier's retailers. */
export async function readDestinationMark(
  db: Db,
  of: Watched,
  most: number,
): Promise<DestinationMark> {
  const { rows, waiting } = await readWatchedDestinations(db, of, most)
  if (rows.length === 0) return { mark: 'none', retailerIds: [] }
  const texts = [
    ...rows.map(({ config, profile, ...row }) =>
      Object.values({ ...row, url: config.url, form: profile?.kind }).join('\t'),
    ),
    ...waiting.map((dispatch) => Object.values(dispatch).join('\t')),
  ]
  const mark = createHash('sha256').update(texts.join('\n')).digest('base64url')
  return { mark, retailerIds: [...new Set(rows.flatMap(({ retailerId }) => retailerId ?? []))] }
}
