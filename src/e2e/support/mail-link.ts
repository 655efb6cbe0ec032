import type { MailServer } from '../../server/testing/servers/mail-server'
import { until } from './rest-client'

/** The path of the link to a page in the newest mail that has one, as a mail program opens it; others are left out. */
export async function receiveLink(
  mails: MailServer,
  page: string,
  secret = 'token',
): Promise<string> {
  const link = await until(
    async () => findLink(mails.received.pop()?.source ?? '', `${page}#${secret}=`),
    (found) => found !== undefined,
  )
  const { pathname, hash } = new URL(link ?? '')
  return pathname + hash
}

function findLink(source: string, beginning: string): string | undefined {
  const text = source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return text.split(/\s/).find((word) => word.includes(beginning))
}
