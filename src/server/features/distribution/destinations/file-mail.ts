import { noticePath } from '../../../../shared/account-notices'
import { formatCountOf, formatFileSize } from '../../../../shared/format'
import type { Deps } from '../../../domain/deps'
import { productUrl, toMailBody } from '../../../mail/mail-body'
import type { SentFile } from './sent-file'

/** A file in words for whoever gets it. */
export type MailedFile = {
  fileName: string
  rowCount: number
  sizeBytes: number
  /** null for a trial. */
  dataAsOf: number | null
  isRepeat: boolean
  /** Where it is, unless it is attached. */
  link: { url: string; endsAt: number } | null
}

type Of = {
  of: SentFile
  destinationName: string
  unsubscribeUrl?: string | undefined
}

/** The subject and both forms of the mail with which a file comes. */
export function toFileMail(
  deps: Deps,
  { fileName, rowCount, sizeBytes, dataAsOf, isRepeat, link }: MailedFile,
  { of, destinationName, unsubscribeUrl }: Of,
) {
  const { timeZone, supplierName, merged } = of
  const { appName } = deps.config
  const file = merged ? 'merged file' : `file from ${supplierName ?? appName}`
  const rows = formatCountOf(rowCount, 'row')
  const what = `${fileName} (${rows}, ${formatFileSize(sizeBytes, 1)})`
  const title =
    dataAsOf === null
      ? `A trial of your ${file}`
      : `Your ${file}: ${rows}, ${toDay(dataAsOf, timeZone)}`
  const sentences = [
    dataAsOf === null && 'This is what a mail with the file looks like; its only row is made up.',
    link ? `${what} is too large for a mail: download it here.` : `${what} is attached.`,
    dataAsOf !== null && `Its data is from ${toTime(dataAsOf, timeZone)}.`,
    link &&
      `The link works until ${toTime(link.endsAt, timeZone)}, as often as you open it. Whoever has it can download the file.`,
    isRepeat && 'This mail was sent again: you may have it already.',
    `You get it as a recipient of the destination ${destinationName}.`,
  ]
  return {
    subject: title.slice(0, 200),
    ...toMailBody({
      title,
      text: sentences.filter(Boolean).join(' '),
      link: link?.url,
      appName,
      preferencesUrl: productUrl(deps, noticePath('account.destination-changed', 'RETAILER')),
      preferencesText: 'Change where your file is sent',
      ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
    }),
  }
}

const toDay = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(at)

const toTime = (at: number, timeZone: string) =>
  `${toDay(at, timeZone)}, ${new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)} (${timeZone})`
