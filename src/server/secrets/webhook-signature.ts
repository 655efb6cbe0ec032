import { createHmac, randomBytes } from 'node:crypto'

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
