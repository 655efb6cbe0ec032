import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { createSmtpMailer } from '../src/server/mail/mailer-smtp'
import { startDevMail } from './dev-mail.mjs'

let server: Awaited<ReturnType<typeof startDevMail>>
let printed: string[]

beforeAll(async () => {
  server = await startDevMail((text) => void printed.push(text))
})
beforeEach(() => {
  printed = []
})
afterAll(() => server.close())

it.each([
  ['short', 'Stock: the source fails', 'Open http://localhost:5173/alerts#confirm=a_b-c=1'],
  ['of other letters', 'Größe_1 = 2?', 'Ein längerer Satz mit „Zeichen“, die mehrere Bytes haben.'],
  [
    'of long lines',
    `${'Long '.repeat(30)}= €`,
    `${'A word after a word '.repeat(20)}=3D http://localhost/?a=b`,
  ],
  ['of another script', '在庫ファイル'.repeat(12), '在庫ファイルが公開されました。'.repeat(12)],
  ['with pictures', 'Café “Zoë” 😀 is late, and so are 😀 others', 'Late 😀'],
])('prints a mail %s as it was written', async (_what, subject, text) => {
  const mailer = createSmtpMailer({ url: server.url, from: 'Stock <stock@example.com>' })
  await mailer.send({ to: 'acme@example.com', subject, text, html: `<p>${text}</p>` })
  mailer.close()
  expect(printed).toHaveLength(1)
  expect(printed[0]).toContain('Mail to acme@example.com\n')
  expect(printed[0]).toContain(text)
  expect(printed[0]).toContain(`Subject: ${subject}\n`)
})
