import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { mailSending } from './send-mail'
import { sendMessages } from './send-messages'

/** As many as there are connections to the mail server. */
const MAILS_AT_ONCE = 4

/** A failed message is due again later; see the pauses of `send-messages.ts`. */
export const sendMailJob = defineJob({
  id: 'send-mail',
  payload: z.object({}),
  concurrency: MAILS_AT_ONCE,
  timeoutMs: 10 * MINUTE_MS,
  run: (deps, _payload, signal) => sendMessages(deps, mailSending, signal),
})
