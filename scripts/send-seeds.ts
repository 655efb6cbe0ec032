import { MAX_SEEDED_ACCOUNTS } from '../src/shared/constants'
import {
  seededSuppliersSchema,
  type SeededSuppliers,
  type SeedResult,
  type SupplierSeed,
} from '../src/shared/schemas/supplier-seed'
import type { Installation } from './installation'

/** A supplier, or some of its retailers, and its index in the list. */
type Entry = { place: number; seed: SupplierSeed }

/**
 * Writes suppliers to a running installation, by `PUT /api/suppliers`, in parts of at most 200 accounts. Ends with the
 * first part that is refused.
 * @throws DomainError when the installation does not answer, or refuses the call
 */
export async function sendSeeds(
  { ask }: Installation,
  seeds: readonly SupplierSeed[],
): Promise<SeededSuppliers> {
  const results = new Map<number, SeedResult>()
  const toResults = () => [...results.values()]
  for (const part of toParts(seeds)) {
    const suppliers = part.map(({ seed }) => seed)
    const written = await ask(seededSuppliersSchema, 'PUT', '/api/suppliers', { suppliers })
    if (written.problems.length > 0) {
      const problems = written.problems.map(({ place, message }) => ({
        place: part[place]?.place ?? 0,
        message,
      }))
      return { results: toResults(), problems }
    }
    for (const [index, { place }] of part.entries()) {
      const before = results.get(place) ?? 'unchanged'
      results.set(place, before === 'unchanged' ? (written.results[index] ?? before) : before)
    }
  }
  return { results: toResults(), problems: [] }
}

/** Entries of at most 200 accounts each; a supplier with more retailers is in several. */
function toParts(seeds: readonly SupplierSeed[]): Entry[][] {
  const parts: Entry[][] = []
  let room = 0
  for (const [place, seed] of seeds.entries()) {
    let rest = seed.retailers
    do {
      if (room < 2) {
        parts.push([])
        room = MAX_SEEDED_ACCOUNTS
      }
      const retailers = rest.slice(0, room - 1)
      parts.at(-1)?.push({ place, seed: { ...seed, retailers } })
      room -= 1 + retailers.length
      rest = rest.slice(retailers.length)
    } while (rest.length > 0)
  }
  return parts
}
