import { generateSecret, generateURI, verifySync } from 'otplib'

import { SECOND_MS } from '../../../../shared/durations'

const STEP_SECONDS = 30

/** A new key of 160 bits, in base32. */
export const createTotpKey = (): string => generateSecret()

/** The address by which an authenticator app takes over a key. */
export const toTotpUri = (issuer: string, label: string, key: string): string =>
  generateURI({ issuer, label, secret: key })

/** Until when codes are accepted at most, which are of the next 30 seconds: the clock of a phone may be ahead. */
export const latestCodeEnd = (now: number): number => now + 2 * STEP_SECONDS * SECOND_MS

/**
 * The end of the 30 seconds that a code of six digits is of, which are those of `now`, the ones before or the ones
 * after; undefined for any other code.
 */
export function findCodeEnd(key: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const epoch = Math.floor(now / SECOND_MS)
  const result = verifySync({ secret: key, token: code, epoch, epochTolerance: STEP_SECONDS })
  if (!result.valid || !('timeStep' in result)) return undefined
  return (result.timeStep + 1) * STEP_SECONDS * SECOND_MS
}
