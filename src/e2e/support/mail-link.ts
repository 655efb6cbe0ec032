import type { MailServer } from '../../server/testing/servers/mail-server'
import { until } from './rest-client'

/** The path of the link to a page in the newest mail, as a mail program opens it. */
export async function receiveLink(mails: MailServer, page: string): Promise<string> {
  const mail = await until(
    async () => mails.received.pop(),
    (received) => received !== undefined,
  )
  const text = (mail?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const link = text.split(/\s/).find((word) => word.includes(`${page}#token=`)) ?? ''
  const { pathname, hash } = new URL(link)
  return pathname + hash
}
