import { createHash, randomBytes, randomUUID } from 'node:crypto'

import { SECOND_MS } from '../../../../shared/durations'
import type {
  DestinationTrial,
  TrialDestinationInput,
} from '../../../../shared/schemas/destination'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { FileError } from '../../../files/file-error'
import { unlockSource } from '../../catalogue/connections/private-keys'
import { recordDestinationAudit } from './destination-audit'
import { loadDestination, toTarget } from './destinations'
import type { Outgoing } from './outgoing'
import { loadSentFile, subjectOf, type Of } from './sent-file'
import { SEND_BY_KIND } from './ways'

const TRIAL_MS = 30 * SECOND_MS
const SAMPLE = Buffer.from('sku,quantity\r\nSTOCKBRIDGE-TEST,0\r\n')
const TIMED_OUT = `The other side did not take the file within ${TRIAL_MS / SECOND_MS} seconds.`

/** Sends a small file to a destination, which is taken away again where that is possible. */
export async function testDestination(
  deps: Deps,
  actor: Actor,
  { id, destinationId }: Of<{ destinationId: number }>,
): Promise<DestinationTrial> {
  const of = await loadSentFile(deps.db, actor, id)
  const destination = await loadDestination(deps.db, of, destinationId)
  await countAttempts(deps, [{ limit: 'tryDestination', subject: subjectOf(of) }])
  return tryOut(deps, actor, { of, destination, kind: destination.kind })
}

/** Tries a destination before it is saved. @throws DomainError as `createDestination` */
export async function testNewDestination(
  deps: Deps,
  actor: Actor,
  input: Of<TrialDestinationInput>,
): Promise<DestinationTrial> {
  const of = await loadSentFile(deps.db, actor, input.id)
  await countAttempts(deps, [{ limit: 'tryDestination', subject: subjectOf(of) }])
  const owner = { supplierId: of.userId, fieldPrefix: 'config.' }
  const config = input.config && (await unlockSource(deps, input.config, owner))
  const known =
    input.destinationId === undefined
      ? undefined
      : await loadDestination(deps.db, of, input.destinationId)
  const target = await toTarget(deps.db, deps, { actor, of }, { ...input, config }, known)
  const { name, method } = input
  const { retailerId, mergedFileId } = of
  const destination = { ...target, retailerId, mergedFileId, name, method }
  return tryOut(deps, actor, { of, destination, kind: target.kind })
}

type Tried = Pick<Outgoing, 'of'> & {
  destination: Outgoing['destination'] & { id?: number }
  kind: keyof typeof SEND_BY_KIND
}

async function tryOut(
  deps: Deps,
  actor: Actor,
  { of, destination, kind }: Tried,
): Promise<DestinationTrial> {
  await inTransaction(deps.db, async (trx) => {
    const { name, id } = destination
    await recordDestinationAudit(trx, deps, of, { verb: 'test', name, ...(id && { id }) })
  })
  const signal = AbortSignal.timeout(TRIAL_MS)
  const fileName = kind === 'mail' ? 'stockbridge-test.csv' : toUnusedName()
  const outgoing = {
    of,
    destination,
    file: {
      fileName,
      mediaType: 'text/csv',
      sizeBytes: SAMPLE.length,
      sha256: createHash('sha256').update(SAMPLE).digest('hex'),
      rowCount: 1,
      versionName: fileName,
    },
    dispatchId: null,
    idempotencyKey: randomUUID(),
    isRepeat: false,
    body: sampleBody,
    signal,
  }
  try {
    const { text } = await SEND_BY_KIND[kind](deps, outgoing)
    return { isOk: true, text }
  } catch (error) {
    if (signal.aborted) return { isOk: false, text: TIMED_OUT }
    if (!(error instanceof FileError)) throw error
    const { message, hostKey } = error
    const text = withFetchAllowAdvice(actor.role, message, deps.config)
    return { isOk: false, text, ...(hostKey !== undefined && { hostKey }) }
  }
}

/** It takes the place of no file that is there. */
const toUnusedName = () => `stockbridge-test-${randomBytes(8).toString('hex')}.csv`

async function* sampleBody(): AsyncGenerator<Buffer> {
  yield SAMPLE
}
