import { z } from 'zod'

import { defineJob } from '../../queue/define-job'
import { sendDeliveries } from './send-deliveries'
import { sendWebhook } from './send-webhook'

/** A failed delivery is due again later; see the pauses of `send-deliveries.ts`. */
export const sendWebhooksJob = defineJob({
  id: 'send-webhooks',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * 60_000,
  run: (deps, _payload, signal) => sendDeliveries(deps, 'webhook', sendWebhook, signal),
})
