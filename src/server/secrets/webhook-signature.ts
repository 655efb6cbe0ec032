import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Where a user's secrets are stored, for their encryption: they open for no other user. */
export const webhookSecretPlace = (userId: number): string => `webhook of user ${userId}`

/** What the address of a user's webhook is encrypted for. */
export const webhookAddressOwner = (userId: number): string => `a webhook of user ${userId}`

export const createWebhookSecret = (): string =>
  PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/**
 * The body of a request and the headers of the Standard Webhooks scheme, by which its receiver checks
 * sender, content and age.
 */
export function signWebhook(
  { id, at, content }: { id: string; at: number; content: object },
  secret: string,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(content)
  const timestamp = Math.floor(at / 1_000)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${hmac}`,
  }
  return { body, headers }
}

/** A signature may be so much older, or newer, than the clock of its receiver. */
const TOLERANCE_SECONDS = 5 * 60
const MAX_SIGNATURES = 10

/** Whether headers have a signature of now, which the body has to fit. */
export function isSigned(headers: IncomingHttpHeaders, now: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers
  if (typeof id !== 'string' || typeof at !== 'string' || typeof signature !== 'string')
    return false
  return /^\d{1,12}$/.test(at) && Math.abs(now / 1_000 - Number(at)) <= TOLERANCE_SECONDS
}

type Signature = { id: string; timestamp: string; signatures: string; secret: string }

/** Passes a body on as it comes, and then false unless its signature is right. */
export async function* checkSignature(
  body: AsyncIterable<Buffer>,
  { id, timestamp, signatures, secret }: Signature,
): AsyncGenerator<Buffer | false> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`)
  for await (const chunk of body) {
    hmac.update(chunk)
    yield chunk
  }
  const right = hmac.digest()
  const isRight = signatures
    .split(' ', MAX_SIGNATURES)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === right.length && timingSafeEqual(given, right))
  if (!secret.startsWith(PREFIX) || !isRight) yield false
}
