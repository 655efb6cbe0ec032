import { expect } from 'vitest'

import type { MailServer } from '../../server/testing/servers/mail-server'
import type { RestClient } from './rest-client'

/** Calls a procedure as the browser does, and returns its output. */
export async function call(
  client: RestClient,
  procedure: string,
  input: unknown,
): Promise<unknown> {
  const { status, text } = await client.send('POST', `/trpc/${procedure}`, input)
  expect(status, text).toBe(200)
  return (JSON.parse(text) as { result: { data: unknown } }).result.data
}

/** Enters an e-mail address and opens the link that is sent to it; then no mail is left. */
export async function confirmAddress(
  client: RestClient,
  mails: MailServer,
  address: string,
): Promise<void> {
  await call(client, 'alerts.setAddress', { address })
  const source = (mails.received[0]?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  await call(client, 'alerts.confirmAddress', { token: /#confirm=([\w-]+)/.exec(source)?.[1] })
  mails.received.length = 0
}

export const listSubjects = (mails: Pick<MailServer, 'received'>) =>
  mails.received.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1])
