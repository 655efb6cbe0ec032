import { z } from 'zod'

import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import type { TokenSettings } from './settings'

const ANSWER_WITHIN_MS = 30 * SECOND_MS
/** A token is not used to its last minute. */
const RENEW_BEFORE_MS = 5 * MINUTE_MS
const MAX_ANSWER_BYTES = 64 * 1024

const answerSchema = z.object({
  access_token: z
    .string()
    .min(1)
    .max(16 * 1024),
  expires_in: z.coerce.number().positive().optional(),
  /** Some servers give a new one each time, and end the one before. */
  refresh_token: z
    .string()
    .min(1)
    .max(16 * 1024)
    .optional(),
})

/** Fetches access tokens (RFC 6749) and keeps each until it is about to end. */
export function createAccessTokens(settings: TokenSettings) {
  let { refreshToken } = settings
  let kept: { token: string; until: number } | undefined
  return {
    /** @throws Error, which tells no secret, when the server gives none */
    async get(signal: AbortSignal): Promise<string> {
      if (kept && performance.now() < kept.until) return kept.token
      const answer = await requestToken({ ...settings, refreshToken }, signal)
      refreshToken = answer.refresh_token ?? refreshToken
      const lasts = (answer.expires_in ?? 0) * SECOND_MS
      kept = { token: answer.access_token, until: performance.now() + lasts - RENEW_BEFORE_MS }
      return kept.token
    },
    /** The mail server does not accept the last one. */
    forget: () => (kept = undefined),
  }
}

async function requestToken(
  { url, clientId, clientSecret, refreshToken, scope }: TokenSettings,
  signal: AbortSignal,
) {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    body: new URLSearchParams({
      client_id: clientId,
      ...(clientSecret !== null && { client_secret: clientSecret }),
      ...(refreshToken === null
        ? { grant_type: 'client_credentials' }
        : { grant_type: 'refresh_token', refresh_token: refreshToken }),
      ...(scope !== null && { scope }),
    }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  })
  const text = await readText(response)
  if (!response.ok) throw new Error(`The token server answers ${response.status}${toReason(text)}`)
  const answer = answerSchema.safeParse(toJson(text))
  if (!answer.success) throw new Error('The token server answers without an access token')
  return answer.data
}

async function readText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer of the token server is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The code of an error, such as `invalid_grant`; the rest of an answer may repeat what was sent. */
function toReason(text: string): string {
  const refusal = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) }).safeParse(toJson(text))
  return refusal.success ? `: ${refusal.data.error}` : ''
}
