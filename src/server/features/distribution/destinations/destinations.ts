import { isDeepStrictEqual } from 'node:util'

import { MAX_DESTINATIONS } from '../../../../shared/constants'
import type { DestinationKind } from '../../../../shared/destinations'
import type {
  CreateDestinationInput,
  DestinationList,
  UpdateDestinationInput,
} from '../../../../shared/schemas/destination'
import { withoutUnusedOptions, type ShopFormat } from '../../../../shared/schemas/shop-format'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { DestinationRow } from '../../../db/schema'
import { NO_ADDRESS, type StoredConfig } from '../../../db/stored-json'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { nextTimeOfDay } from '../../../domain/times-of-day'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { unlockSource } from '../../catalogue/connections/private-keys'
import { recordRetailerChange } from '../../people/audit/audited-records'
import { auditMergedFile } from '../merged-files/audit-merged-file'
import { updateMergedFile } from '../merged-files/merged-files.queries'
import { updateRetailerRow } from '../retailers/retailers.queries'
import { keptBy, toDestinationConfig } from './destination-address'
import { recordDestinationAudit, tellKeepers } from './destination-audit'
import {
  deleteDestinationRow,
  findDestination,
  insertDestination,
  listDestinationRows,
  listMailPeople,
  updateDestinationRow,
} from './destinations.queries'
import { giveUpWaiting } from './dispatches.queries'
import { loadSentFile, type AskedFile, type Of, type SentFile } from './sent-file'
import type { SentFileIds } from './sent-file.queries'
import { showDestinations } from './shown-destinations'

/** Lists where a retailer has its file, or its merged file, sent to, and what can be chosen. */
export async function listDestinations(
  deps: Deps,
  actor: Actor,
  id: AskedFile,
): Promise<DestinationList> {
  return showDestinations(deps, actor, await loadSentFile(deps.db, actor, id))
}

/** @throws DomainError NOT_FOUND when the file has no such destination */
export async function loadDestination(
  db: Db,
  { retailerId, mergedFileId }: SentFileIds,
  id: number,
): Promise<Owned<DestinationRow>> {
  const row = await findDestination(db, { id, retailerId, mergedFileId })
  if (!row) throw notFound('Destination')
  return row
}

/**
 * Adds a destination, which gets the file at once, or at the first of its times. The people of the retailer are told.
 * @throws DomainError NOT_FOUND when the actor may not see the file; CONFLICT when it has enough; INVALID; THROTTLED
 */
export async function createDestination(
  deps: Deps,
  actor: Actor,
  entered: Of<CreateDestinationInput>,
): Promise<DestinationList> {
  const { userId } = await loadSentFile(deps.db, actor, entered.id)
  const { id, ...input } = await unlock(deps, userId, entered)
  await countAttempts(deps, [{ limit: 'createDestination', subject: actor.id }])
  await inTransaction(deps.db, async (trx) => {
    const of = await loadSentFile(trx, actor, id)
    if ((await listDestinationRows(trx, of)).length >= MAX_DESTINATIONS) {
      const why = `A retailer can have at most ${MAX_DESTINATIONS} destinations`
      throw new DomainError('CONFLICT', why)
    }
    const target = await toTarget(trx, deps, { actor, of }, input)
    const settings = { ...toSettings(input), ...target, method: methodOf(target, input.method) }
    const now = deps.clock.now()
    const checkAt = firstCheck(settings, of, now)
    const destinationId = await insertDestination(trx, of, {
      ...settings,
      checkAt,
      createdAt: now,
    })
    const { name } = settings
    const audited = { verb: 'create', id: destinationId, name, after: settings } as const
    await recordDestinationAudit(trx, deps, of, audited)
    await tellKeepers(trx, deps, actor, { of, name })
  })
  await wakeScheduler(deps)
  return listDestinations(deps, actor, id)
}

/**
 * Changes a destination; what is left out stays. A change ends a pause.
 * @throws DomainError as `createDestination`
 */
export async function updateDestination(
  deps: Deps,
  actor: Actor,
  entered: Of<UpdateDestinationInput>,
): Promise<DestinationList> {
  const { userId } = await loadSentFile(deps.db, actor, entered.id)
  const { id, destinationId, ...input } = await unlock(deps, userId, entered)
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  await inTransaction(deps.db, async (trx) => {
    const of = await loadSentFile(trx, actor, id)
    const before = await loadDestination(trx, of, destinationId)
    const target = await toTarget(trx, deps, { actor, of }, input, before)
    const method = methodOf(target, input.method ?? before.method ?? undefined)
    const settings = { ...before, ...toSettings(input), ...target, method }
    const { name } = settings
    const now = deps.clock.now()
    const checkAt = firstCheck(settings, of, now)
    const isElsewhere = !isDeepStrictEqual(toPlace(target), toPlace(before))
    const forgotten = { sentVersionId: null, sentSha256: null, sentAt: null, isSlow: false }
    await updateDestinationRow(trx, before, {
      ...toSettings(input),
      ...target,
      method,
      pausedAt: null,
      pausedReason: null,
      checkAt,
      ...(isElsewhere && forgotten),
    })
    // What waits was made for the settings of before, and the next look makes another one of it.
    await giveUpWaiting(trx, before, { answer: 'The destination was changed', now })
    const audited = { verb: 'update', id: before.id, name, before, after: settings } as const
    await recordDestinationAudit(trx, deps, of, audited)
    if (isElsewhere) await tellKeepers(trx, deps, actor, { of, name })
  })
  await wakeScheduler(deps)
  return listDestinations(deps, actor, id)
}

/** Where files are sent to: what was sent to another place does not count. */
const toPlace = ({ config, recipients }: Pick<DestinationRow, 'config' | 'recipients'>) => [
  config.url,
  config.sealedUrl,
  recipients,
]

/** Deletes a destination. What was sent there stays in the history of the file. */
export async function deleteDestination(
  deps: Deps,
  actor: Actor,
  { id, destinationId }: Of<{ destinationId: number }>,
): Promise<DestinationList> {
  await inTransaction(deps.db, async (trx) => {
    const of = await loadSentFile(trx, actor, id)
    const before = await loadDestination(trx, of, destinationId)
    const now = deps.clock.now()
    await giveUpWaiting(trx, before, { answer: 'The destination was deleted', now })
    await deleteDestinationRow(trx, before)
    const audited = { verb: 'delete', id: before.id, name: before.name, before } as const
    await recordDestinationAudit(trx, deps, of, audited)
  })
  return listDestinations(deps, actor, id)
}

/** Changes by which clock the times of day of a file's destinations are counted. */
export async function changeTimeZone(
  deps: Deps,
  actor: Actor,
  { id, timeZone }: Of<{ timeZone: string }>,
): Promise<DestinationList> {
  await inTransaction(deps.db, async (trx) => {
    const of = await loadSentFile(trx, actor, id)
    if (of.timeZone === timeZone) return
    await writeTimeZone(trx, deps, of, timeZone)
    const now = deps.clock.now()
    for (const row of await listDestinationRows(trx, of)) {
      if (row.times.length === 0 || row.checkAt === null) continue
      const checkAt = nextTimeOfDay(row.times, timeZone, now)
      await updateDestinationRow(trx, row, { checkAt })
    }
  })
  return listDestinations(deps, actor, id)
}

async function writeTimeZone(
  trx: WriteTransaction,
  deps: Deps,
  { retailer, merged, username }: SentFile,
  timeZone: string,
): Promise<void> {
  if (retailer) {
    await updateRetailerRow(trx, retailer, { timeZone })
    await recordRetailerChange(trx, deps, retailer, { ...retailer, timeZone })
  }
  if (merged) {
    await updateMergedFile(trx, merged, { timeZone })
    const changes = { before: { timeZone: merged.timeZone }, after: { timeZone } }
    await auditMergedFile(trx, deps, 'save', { id: merged.userId, username }, changes)
  }
}

/** Its private key without the passphrase, before anything is written. */
async function unlock<Input extends Pick<CreateDestinationInput, 'config'>>(
  deps: Deps,
  companyId: number,
  input: Input,
): Promise<Input> {
  if (!input.config) return input
  const of = { supplierId: companyId, fieldPrefix: 'config.' }
  return { ...input, config: await unlockSource(deps, input.config, of) }
}

type Target = { kind: DestinationKind; config: StoredConfig; recipients: number[] }
type Entered = Pick<CreateDestinationInput, 'config' | 'recipients'>

/**
 * Where files are sent to: an address, or people.
 * @throws DomainError INVALID for both and for neither, and for people who get no mail
 */
export async function toTarget(
  db: Db,
  deps: Pick<Deps, 'secrets'>,
  { actor, of }: { actor: Actor; of: SentFile },
  { config, recipients }: Entered,
  known?: DestinationRow,
): Promise<Target> {
  if (config && recipients && recipients.length > 0) {
    const why = 'A file is sent either to an address or to people: enter one of them'
    throw new DomainError('INVALID', why, { field: 'recipients' })
  }
  if (config) {
    const kept = known && keptBy(actor, config.url, known.config)
    const stored = toDestinationConfig(deps, of, config, kept)
    return { ...stored, recipients: [] }
  }
  if (recipients) {
    const people = await checkRecipients(db, of, recipients)
    return { kind: 'mail', config: NO_ADDRESS, recipients: people }
  }
  if (known) return { kind: known.kind, config: known.config, recipients: known.recipients }
  throw new DomainError('INVALID', 'Enter where the file is sent to', { field: 'config' })
}

async function checkRecipients(
  db: Db,
  { userId }: SentFile,
  recipients: readonly number[],
): Promise<number[]> {
  const field = 'recipients'
  if (recipients.length === 0) {
    throw new DomainError('INVALID', 'Choose who gets the file by mail', { field })
  }
  const people = await listMailPeople(db, userId)
  const reached = new Set(people.flatMap(({ id, address }) => (address === null ? [] : [id])))
  if (recipients.every((id) => reached.has(id))) return [...new Set(recipients)]
  const why =
    'Mail goes only to people of the company who have confirmed an address in their alerts'
  throw new DomainError('INVALID', why, { field })
}

const methodOf = ({ kind }: Target, method: DestinationRow['method'] = 'PUT') =>
  kind === 'web' ? method : null

function toSettings<Input extends Omit<UpdateDestinationInput, 'id' | 'destinationId'>>({
  config: _config,
  recipients: _recipients,
  method: _method,
  profile,
  times,
  ...plain
}: Input) {
  return {
    ...plain,
    ...(profile !== undefined && { profile: toFormat(profile) }),
    ...(times && { times: [...new Set(times)].toSorted() }),
  } as Omit<Input, 'config' | 'recipients' | 'method'>
}

const toFormat = (profile: ShopFormat | null) => profile && withoutUnusedOptions(profile)

/** When a destination is looked at first: null while it is off. */
const firstCheck = (
  { isActive, times }: Pick<DestinationRow, 'isActive' | 'times'>,
  { timeZone }: Pick<SentFile, 'timeZone'>,
  now: number,
): number | null => {
  if (!isActive) return null
  return times.length === 0 ? now : nextTimeOfDay(times, timeZone, now)
}
