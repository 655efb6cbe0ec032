import { setTimeout } from 'node:timers/promises'

import { DomainError } from '../src/server/domain/errors'
import { codeOf } from '../src/server/process/error-code'
import { MAX_SEEDED_ACCOUNTS } from '../src/shared/constants'
import {
  seededSuppliersSchema,
  type SeededSuppliers,
  type SeedResult,
  type SupplierSeed,
} from '../src/shared/schemas/supplier-seed'
import { UsageError } from './command-line'

/** A supplier, or some of its retailers, and its index in the list. */
type Entry = { place: number; seed: SupplierSeed }

/** Two hundred passwords are hashed in about ten seconds. */
const LIMIT_MS = 5 * 60_000
/** A longer wait is told instead. */
const MAX_WAIT_SECONDS = 120

/**
 * Writes suppliers to a running installation, by `PUT /api/suppliers`, in parts of at most 200 accounts. Ends with the
 * first part that is refused.
 * @param address of the installation
 * @param key of an administrator
 * @throws UsageError for an address or a key that cannot be one; DomainError when the installation does not answer, or
 *   refuses the call
 */
export async function sendSeeds(
  address: string,
  key: string | undefined,
  seeds: readonly SupplierSeed[],
): Promise<SeededSuppliers> {
  const target = toTarget(address)
  if (!key) throw new UsageError('STOCKBRIDGE_KEY must have the API key of an administrator')
  const results = new Map<number, SeedResult>()
  const toResults = () => [...results.values()]
  for (const part of toParts(seeds)) {
    const suppliers = part.map(({ seed }) => seed)
    const written = await send(target, key, suppliers)
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

function toTarget(address: string): URL {
  const target = URL.canParse(address) ? new URL(address) : undefined
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new UsageError('--url must be an address such as https://stockbridge.example.com')
  }
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(target.hostname)
  if (target.protocol === 'http:' && !isHere) {
    throw new UsageError('--url must begin with https: anybody on the way could read the key')
  }
  return new URL('/api/suppliers', target)
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

async function send(target: URL, key: string, suppliers: SupplierSeed[]): Promise<SeededSuppliers> {
  for (;;) {
    const response = await request(target, key, suppliers)
    const wait = Number(response.headers.get('retry-after'))
    if (response.status !== 429 || !(wait > 0 && wait <= MAX_WAIT_SECONDS)) {
      return readAnswer(target, response)
    }
    console.error(`${target.host} asks to wait ${wait} s`)
    await setTimeout(wait * 1_000)
  }
}

async function request(target: URL, key: string, suppliers: SupplierSeed[]): Promise<Response> {
  try {
    return await fetch(target, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ suppliers }),
      // The key is for nobody else.
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
  } catch (error) {
    const reason = codeOf((error as Error).cause) || (error as Error).message
    throw new DomainError('UNAVAILABLE', `${target.origin} cannot be reached (${reason})`)
  }
}

async function readAnswer(target: URL, response: Response): Promise<SeededSuppliers> {
  const { status, headers } = response
  const location = headers.get('location')
  if (location) {
    const place = new URL(location, target).origin
    throw new DomainError('INVALID', `${target.origin} redirects to ${place}: use that address`)
  }
  const answer: unknown = await response.json().catch(() => undefined)
  const written = seededSuppliersSchema.safeParse(answer)
  if (response.ok && written.success) return written.data
  const { message } = (answer ?? {}) as { message?: unknown }
  const reason = typeof message === 'string' ? message : `it answers with status ${status}`
  throw new DomainError('INVALID', `${target.origin} refuses: ${reason}`)
}
