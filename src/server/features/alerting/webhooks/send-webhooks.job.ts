import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { sendMessages, type Sending } from '../outbox/send-messages'
import { sendWebhook } from '../outbox/send-webhook'
import { recordReceiver } from './webhook-health'

/** Requests at once in a process. Most of the time they only wait for an answer. */
const REQUESTS_AT_ONCE = 16

const how = { send: sendWebhook, settle: recordReceiver }
/** The requests of webhooks: those whose receivers answer soon, and the others. */
export const webhookSendings = [
  { channel: 'webhook', ...how },
  { channel: 'slow-webhook', ...how },
] as const satisfies Sending[]

/** A failed message is due again later; see the pauses of `send-messages.ts`. */
const toJob = (id: string, sending: Sending) =>
  defineJob({
    id,
    payload: z.object({}),
    concurrency: REQUESTS_AT_ONCE,
    timeoutMs: 10 * MINUTE_MS,
    run: (deps, _payload, signal) => sendMessages(deps, sending, signal),
  })

export const sendWebhooksJob = toJob('send-webhooks', webhookSendings[0])
export const sendSlowWebhooksJob = toJob('send-slow-webhooks', webhookSendings[1])
