import { MAX_ATTACHED_BYTES } from '../../../../shared/destinations'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { DispatchRow, FileMailRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { productUrl } from '../../../mail/mail-body'
import { MailError, toMailReason, type Mailer } from '../../../mail/mailer'
import { endRecipient } from './end-recipient'
import { createFileLink } from './file-links'
import { toFileMail } from './file-mail'
import { putFileMail } from './file-mails.queries'
import { mayMail, TOO_MANY_MAILS } from './mail-limit'
import type { MailedVersion } from './mailed-version'
import type { Outgoing } from './outgoing'
import { createReturnAddress } from './return-address'
import { createStopToken } from './stop-token'

export type Mailing = Outgoing & {
  dispatch: Pick<DispatchRow, 'id' | 'createdAt'> & { destinationId: number }
  version: MailedVersion
}

type Recipient = { userId: number; username: string; address: string; isRepeat: boolean }
type Outcome = Pick<FileMailRow, 'status' | 'answer'>
type MailDeps = Deps & { mail: Mailer }

/** Sends a file to one person, and records first that it is about to, then what came of it. */
export async function mailFile(
  deps: MailDeps,
  mailing: Mailing,
  recipient: Recipient,
): Promise<Outcome> {
  const { userId, isRepeat } = recipient
  const record = (outcome: Outcome, also?: (trx: WriteTransaction) => Promise<void>) =>
    inTransaction(deps.db, async (trx) => {
      await putFileMail(trx, { dispatchId: mailing.dispatch.id, userId, ...outcome })
      await also?.(trx)
      return outcome
    })
  if (!(await mayMail(deps, mailing.of))) {
    return record({ status: isRepeat ? 'begun' : 'waiting', answer: TOO_MANY_MAILS })
  }
  const reading: Reading = {}
  const content = await toContent(deps, mailing, { ...recipient, reading })
  await record({ status: 'begun', answer: null })
  try {
    await deps.mail.send(content)
  } catch (error) {
    mailing.signal.throwIfAborted()
    if ('failure' in reading) {
      // A mail that was broken off does not arrive.
      await record({ status: isRepeat ? 'begun' : 'waiting', answer: null })
      throw reading.failure
    }
    if (!(error instanceof MailError)) throw error
    const { isNoRecipient, mayHaveArrived } = error
    // Suppliers read it, who see no whole addresses.
    const answer = toMailReason(error)
    if (!isNoRecipient) {
      // Once it may have arrived, each further copy says so.
      return record({ status: isRepeat || mayHaveArrived ? 'begun' : 'waiting', answer })
    }
    return record({ status: 'refused', answer }, (trx) =>
      endRecipient(trx, deps, {
        of: mailing.of,
        destinationId: mailing.dispatch.destinationId,
        userId,
        personName: recipient.username,
      }),
    )
  }
  return record({ status: 'sent', answer: null })
}

async function toContent(
  deps: Deps,
  { of, destination, dispatch, version, file, body, signal }: Mailing,
  { userId, address, isRepeat, reading }: Recipient & { reading: Reading },
) {
  const { destinationId } = dispatch
  const { fileName, mediaType, sizeBytes, sha256, rowCount, versionName } = file
  const isAttached = sizeBytes <= MAX_ATTACHED_BYTES
  const { id: versionId, dataAsOf, mergedFrom } = version
  const stored = {
    versionId,
    versionName,
    fileName,
    mediaType,
    sha256,
    sizeBytes,
    rowCount,
    dataAsOf,
    mergedFrom,
  }
  const { retailerId, mergedFileId } = of
  const link = isAttached
    ? null
    : await createFileLink(deps, {
        mail: { dispatchId: dispatch.id, createdAt: dispatch.createdAt, userId, address },
        of,
        file: { ...stored, retailerId, mergedFileId, destinationId },
      })
  const token = createStopToken(deps, { destinationId, userId, address })
  const unsubscribeUrl = productUrl(deps, `/unsubscribe/${token}`)
  const about = { fileName, rowCount, sizeBytes, dataAsOf, isRepeat, link }
  const { hostname } = new URL(unsubscribeUrl)
  const returnPath = createReturnAddress(deps, { dispatch, userId, address })
  return {
    to: address,
    ...toFileMail(deps, about, { of, destinationName: destination.name, unsubscribeUrl }),
    messageId: `<file-${dispatch.id}.${dispatch.createdAt}.${userId}@${hostname}>`,
    unsubscribeUrl,
    ...(returnPath !== undefined && { returnPath }),
    ...(isAttached && {
      attachment: { fileName, mediaType, content: () => readBody(body(), reading, signal) },
    }),
  }
}

/** Why a file could not be read to its end. */
type Reading = { failure?: unknown }

/** The end of a run breaks the mail off as well, of which nobody knows then how far it came. */
async function* readBody(body: AsyncIterable<Buffer>, reading: Reading, signal: AbortSignal) {
  try {
    for await (const chunk of body) {
      signal.throwIfAborted()
      yield chunk
    }
  } catch (error) {
    reading.failure = error
    throw error
  }
}
