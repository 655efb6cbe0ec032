import { isDeepStrictEqual } from 'node:util'

import { MAX_DIGEST_SOURCES } from '../../../../shared/digests'
import type { DigestContent, ToldChanges } from '../../../../shared/schemas/digest'
import type { DigestRow } from '../../../db/schema'
import type { DigestBase } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { findPerson } from '../../people/accounts/persons.queries'
import { compareSource, type ComparedSource } from './compare-source'
import { listSources } from './digest-sources'

/** What is told, null for nothing, and what the next one is compared with. */
export type FoundDigest = { content: DigestContent | null; bases: DigestBase[] }

/** Results that one run remembers: people who see the same of the same files share them. */
const MAX_KNOWN = 500

/** Finds what is to be told to one person after the other. What several of them may see is compared once. */
export function createDigestFinder(deps: Deps) {
  const known: { wanted: unknown; found: ComparedSource }[] = []
  const remember = async (wanted: unknown, compare: () => Promise<ComparedSource>) => {
    const same = known.find((other) => isDeepStrictEqual(other.wanted, wanted))
    if (same) return same.found
    const found = await compare()
    known.push({ wanted, found })
    if (known.length > MAX_KNOWN) known.shift()
    return found
  }
  return async (digest: DigestRow & { leaseToken: string }, signal: AbortSignal) => {
    const person = await findPerson(deps.db, digest.userId)
    const sources = person ? await listSources(deps.db, person, deps.clock.now()) : []
    const told: ToldChanges[] = []
    const bases: DigestBase[] = []
    for (const source of sources) {
      const { key, newer } = source
      const base = digest.bases.find((other) => other.key === key)
      // What changed before a backup was restored may have been told.
      const isSkipped = !base || (digest.skipsUntil !== null && isUpTo(digest, newer))
      if (isSkipped) {
        bases.push({ key, versionId: newer.id })
        continue
      }
      const compared = await compareSource(deps, { digest, source, base, remember }, signal)
      bases.push({ key, versionId: compared.baseId })
      if (compared.told) told.push(compared.told)
    }
    return { content: toContent(digest, told), bases }
  }
}

const isUpTo = (
  { skipsUntil }: Pick<DigestRow, 'skipsUntil'>,
  { publishedAt, createdAt }: { publishedAt: number | null; createdAt: number },
) => (publishedAt ?? createdAt) <= (skipsUntil ?? 0)

function toContent(
  { period, pricePercent }: Pick<DigestRow, 'period' | 'pricePercent'>,
  told: ToldChanges[],
): DigestContent | null {
  if (period === null || told.length === 0) return null
  const sources = told.slice(0, MAX_DIGEST_SOURCES)
  return { period, pricePercent, sources, moreSources: told.length - sources.length }
}
