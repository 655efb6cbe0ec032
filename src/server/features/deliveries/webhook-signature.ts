import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Where a user's secrets are stored, for the encryption: they open for no other user. */
export const webhookSecretPlace = (userId: number): string => `webhook of user ${userId}`

export const createWebhookSecret = (): string =>
  PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The headers of the Standard Webhooks scheme, by which a receiver checks sender, content and age. */
export function signWebhook(
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
  secret: string,
): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${hmac}`,
  }
}
