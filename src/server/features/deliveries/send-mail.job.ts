import { z } from 'zod'

import { defineJob } from '../../queue/define-job'
import { sendDeliveries } from './send-deliveries'
import { sendMail } from './send-mail'

/** A failed delivery is due again later; see the pauses of `send-deliveries.ts`. */
export const sendMailJob = defineJob({
  id: 'send-mail',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * 60_000,
  run: (deps, _payload, signal) => sendDeliveries(deps, 'mail', sendMail, signal),
})
