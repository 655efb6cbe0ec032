import { formatCountOf } from '../../../../shared/format'
import { RETRY_PAUSES_MS } from '../../../../shared/webhook-rules'
import type { FileMailRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { FileError } from '../../../files/file-error'
import { listMailPeople } from './destinations.queries'
import { findDispatchOfMail, listFileMails } from './file-mails.queries'
import { mailFile, type Mailing } from './mail-file'
import { mailTrial } from './mail-trial'
import { findMailedVersion } from './mailed-version'
import type { Outgoing } from './outgoing'

const NO_MAIL = 'This installation sends no e-mail: choose another kind of destination.'
const NOBODY =
  'Nobody of its recipients can get mail any more: choose people with a confirmed address.'

/** What is not tried again. */
const DONE = new Set<FileMailRow['status']>(['sent', 'refused', 'returned'])

type Person = { id: number; username: string; address: string }

/**
 * Sends a file to people by mail, each in a mail of its own. A try after another one leaves out who has it already; who was
 * about to get it when that broke off gets it again, marked, with the same Message-ID.
 * @throws FileError while there is somebody who may still get it, or when nobody has got it; or the signal's reason
 */
export async function sendByMail(deps: Deps, outgoing: Outgoing): Promise<{ text: string }> {
  const { mail } = deps
  if (!mail) throw new FileError('bad-address', NO_MAIL)
  const { of, destination, dispatchId, signal } = outgoing
  const people = await listMailPeople(deps.db, of.userId)
  const reached = people.filter(
    (person): person is Person =>
      person.address !== null && destination.recipients.includes(person.id),
  )
  if (reached.length === 0) throw new FileError('bad-address', NOBODY)
  const leftOut = destination.recipients
    .filter((id) => reached.every((person) => person.id !== id))
    .map((id) => nameLeftOut(people.find((person) => person.id === id)))
  if (dispatchId === null) return mailTrial({ ...deps, mail }, outgoing, reached)
  const dispatch = await findDispatchOfMail(deps.db, dispatchId)
  if (!dispatch?.destinationId) throw new FileError('bad-address', 'The destination is gone.')
  const version = await findMailedVersion(deps.db, of, dispatch)
  const known = await listFileMails(deps.db, dispatchId)
  const mailing: Mailing = {
    ...outgoing,
    dispatch: { ...dispatch, id: dispatchId, destinationId: dispatch.destinationId },
    version,
  }
  const results: Result[] = []
  for (const { id: userId, username, address } of reached) {
    signal.throwIfAborted()
    const before = known.find((one) => one.userId === userId)
    const isDone = before && DONE.has(before.status)
    const to = { userId, username, address, isRepeat: before?.status === 'begun' }
    const result = isDone ? before : await mailFile({ ...deps, mail }, mailing, to)
    results.push({ username, ...result })
  }
  const isLastTry = RETRY_PAUSES_MS[dispatch.attempts - 1] === undefined
  return conclude(results, { leftOut, isLastTry })
}

const nameLeftOut = (person: { username: string } | undefined) =>
  person ? `${person.username} (no confirmed address)` : 'somebody who has left or was deactivated'

type Result = Pick<FileMailRow, 'status' | 'answer'> & { username: string }

function conclude(
  results: readonly Result[],
  { leftOut, isLastTry }: { leftOut: string[]; isLastTry: boolean },
): { text: string } {
  const sent = results.filter(({ status }) => status === 'sent')
  const failed = results.filter(({ status }) => status !== 'sent')
  const reasons = failed.map(({ username, answer }) => `${username} (${answer})`)
  const missing = [...reasons, ...leftOut].join(', ')
  const text = `Sent to ${formatCountOf(sent.length, 'person', 'people')} by mail`
  const isOpen = failed.some(({ status }) => !DONE.has(status))
  if (isOpen && !(isLastTry && sent.length > 0)) {
    throw new FileError('connect-failed', `${text}, and not yet to ${missing}.`)
  }
  if (sent.length === 0) throw new FileError('bad-address', `The mail was refused: ${missing}.`)
  return { text: missing === '' ? `${text}.` : `${text}. Left out: ${missing}.` }
}
