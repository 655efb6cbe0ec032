import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { queueWaitingMessages } from '../outbox/outbox'
import { fanOutEvents } from './fan-out'

/** Determines who is told of new events. Needs no retry: the next tick finds the same events. */
export const fanOutEventsJob = defineJob({
  id: 'fan-out-events',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * MINUTE_MS,
  async run(deps, _payload, signal) {
    await fanOutEvents(deps, signal)
    await queueWaitingMessages(deps)
  },
})
