import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { sendAccountMails } from './send-account-mails'

/** A mail that could not be sent is due again soon. */
export const sendAccountMailsJob = defineJob({
  id: 'send-account-mails',
  payload: z.object({}),
  concurrency: 2,
  timeoutMs: 10 * MINUTE_MS,
  run: (deps, _payload, signal) => sendAccountMails(deps, signal),
})
