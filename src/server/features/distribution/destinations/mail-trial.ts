import { formatCountOf } from '../../../../shared/format'
import type { Deps } from '../../../domain/deps'
import { FileError } from '../../../files/file-error'
import { MailError, toMailReason, type Mailer } from '../../../mail/mailer'
import { toFileMail } from './file-mail'
import { mayMail, TOO_MANY_MAILS } from './mail-limit'
import type { Outgoing } from './outgoing'

/** Sends a small file to each of these people. @throws FileError with who does not get it */
export async function mailTrial(
  deps: Deps & { mail: Mailer },
  { of, destination, file, body, signal }: Outgoing,
  people: readonly { username: string; address: string }[],
): Promise<{ text: string }> {
  const { fileName, mediaType } = file
  const about = { ...file, dataAsOf: null, isRepeat: false, link: null }
  const mail = toFileMail(deps, about, { of, destinationName: destination.name })
  const failures: string[] = []
  for (const { username, address } of people) {
    signal.throwIfAborted()
    if (!(await mayMail(deps, of))) {
      failures.push(`${username} (${TOO_MANY_MAILS})`)
      continue
    }
    const attachment = { fileName, mediaType, content: body }
    try {
      await deps.mail.send({ to: address, ...mail, attachment })
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      failures.push(`${username} (${toMailReason(error)})`)
    }
  }
  if (failures.length > 0) {
    throw new FileError('connect-failed', `The mail was not taken for ${failures.join(', ')}.`)
  }
  const whom = formatCountOf(people.length, 'person', 'people')
  return { text: `The mail server took a small file for ${whom}: see whether it arrives.` }
}
