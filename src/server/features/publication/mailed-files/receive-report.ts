import { randomUUID } from 'node:crypto'

import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import type { MailReport } from '../../../files/mail/mail-report'
import { recordReport } from '../../distribution/destinations/record-report'
import type { ReturnedMail } from '../../distribution/destinations/return-address'
import { requireSpace } from '../received-files/arriving-file'
import { type ArrivingMail, fillMessage, isUnreadable } from './arriving-message'

/**
 * Receives what comes to the secret address of a mail with a file: a report of a mail server is recorded, and all else is
 * dropped. Nobody is answered, and nothing of it is kept but its line.
 * @throws DomainError INVALID; TOO_LARGE; THROTTLED; UNAVAILABLE
 */
export async function receiveReport(
  deps: Deps,
  returned: ReturnedMail,
  { body, signal }: ArrivingMail,
): Promise<'noted' | 'dropped'> {
  const { dispatchId, userId } = returned
  await countAttempts(deps, [{ limit: 'receiveReport', subject: `${dispatchId}.${userId}` }])
  await requireSpace(deps)
  const owner = randomUUID()
  const [message, table] = [deps.files.createDraft(owner), deps.files.createDraft(owner)]
  try {
    await fillMessage(deps, message, body, signal)
    const task = { file: message.path, draft: table.path, authHost: null }
    const report = await readReport(deps, task, signal)
    return report && (await recordReport(deps, returned, report)) ? 'noted' : 'dropped'
  } finally {
    await message.discard()
    await table.discard()
  }
}

/** null for what is no report, or cannot be read. */
async function readReport(
  { readers }: Deps,
  task: { file: string; draft: string; authHost: null },
  signal: AbortSignal,
): Promise<MailReport | null> {
  try {
    return (await readers.run('readMail', task, { signal })).mailReport
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return null
  }
}
