import { z } from 'zod'

/** Into so many parts, of about the same size, a backup's inventory files are divided by their hashes. */
export const FILE_SHARES = 7

/** Which of these parts a file is in. */
export const shareOf = (sha256: string) => Number.parseInt(sha256.slice(0, 8), 16) % FILE_SHARES

/**
 * Since when, in Unix milliseconds, every file of each part of a backup has been read back and found whole. Kept
 * beside the manifest, whose format older versions restore too. What backups have without it was read
 * when they were made.
 */
export type ReadTimes = number[]

const readTimesSchema = z.number().int().nonnegative().array().length(FILE_SHARES)

export const encodeReadTimes = (times: ReadTimes) => JSON.stringify(times)

/** Returns undefined for a text that has no such times. */
export function parseReadTimes(text: string): ReadTimes | undefined {
  try {
    return readTimesSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
