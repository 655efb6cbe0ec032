import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { defineJob } from '../../../queue/define-job'
import { checkDestinations } from './check-destinations'
import { checkWaitingDestinations } from './due-destinations'
import { LONGEST_TRY_MS, sendFiles } from './send-files'
import { queueFilesToSend } from './waiting-files'

/** Files that a process sends at once in each lane. Most of the time they only wait for the other side. */
const FILES_AT_ONCE = 8

/** Needs no retry: what this run did not look at is still due. */
export const checkDestinationsJob = defineJob({
  id: 'check-destinations',
  payload: z.object({}),
  concurrency: 1,
  timeoutMs: 10 * MINUTE_MS,
  async run(deps, _payload, signal) {
    await checkDestinations(deps, signal)
    await queueFilesToSend(deps)
  },
})

/** Needs no retry: they are looked at again some seconds later. */
export const checkWaitingDestinationsJob = defineJob({
  id: 'check-waiting-destinations',
  payload: z.object({ connectionIds: z.array(z.number()) }),
  concurrency: 1,
  timeoutMs: MINUTE_MS,
  run: (deps, { connectionIds }) => checkWaitingDestinations(deps, connectionIds),
})

/** One that failed is due again later. */
const toJob = (id: string, lane: Parameters<typeof sendFiles>[1]) =>
  defineJob({
    id,
    payload: z.object({}),
    concurrency: FILES_AT_ONCE,
    timeoutMs: 2 * LONGEST_TRY_MS,
    run: (deps, _payload, signal) => sendFiles(deps, lane, signal),
  })

export const sendFilesJob = toJob('send-files', 'quick')
export const sendSlowFilesJob = toJob('send-slow-files', 'slow')
