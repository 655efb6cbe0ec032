import { expect, it } from 'vitest'

import { writePlain, writeQmailReport, writeReport } from '../../testing/fixtures/mail-reports'
import { writeMail } from '../../testing/fixtures/mails'
import { toBody } from '../../testing/fixtures/mails'
import { readMail } from './read-mail'

const openDraft = () => Promise.reject(new Error('There is no table'))
const read = async (message: Buffer) =>
  (await readMail(toBody(message), { authHost: null, openDraft })).mailReport

it.each([
  [{}, { isPermanent: true, line: '550 5.1.1 <ben@shop.example>: No such user' }],
  [
    { status: '5.2.2', diagnostic: 'smtp; 552 Mailbox\r\n full' },
    { isPermanent: true, line: '5.2.2 552 Mailbox full' },
  ],
  [
    { status: '5.0.0', diagnostic: 'X-Postfix; unknown user: "ben"' },
    { isPermanent: true, line: 'unknown user: "ben"' },
  ],
  [
    { status: '5.4.310 (DNS)', diagnostic: '' },
    { isPermanent: true, line: '5.4.310' },
  ],
  [
    { action: 'Failed (expired)', status: '4.4.7', diagnostic: 'smtp; 451 4.4.7 Expired' },
    { isPermanent: false, line: '451 4.4.7 Expired' },
  ],
  [
    { action: 'delayed', status: '4.4.1', diagnostic: 'smtp; timed out' },
    { isPermanent: false, line: '4.4.1 timed out' },
  ],
  // A server that warns has not given up, whatever its status.
  [
    { action: 'delayed', status: '5.1.1' },
    { isPermanent: false, line: expect.any(String) },
  ],
  [
    { types: { part: 'message/global-delivery-status' } },
    { isPermanent: true, line: expect.any(String) },
  ],
])('a report with %j is read', async (report, expected) => {
  expect(await read(writeReport(report))).toEqual(expected)
})

it.each([
  { action: 'delivered', status: '2.0.0' },
  { action: 'relayed', status: '2.0.0' },
  { action: '', status: '5.1.1' },
  { status: '' },
  { status: '5.1' },
  { status: '9.1.1' },
  { status: '5.1.1111' },
  { types: { whole: 'multipart/mixed' } },
  { types: { part: 'text/plain' } },
  { types: { part: 'message/disposition-notification' } },
])('nothing is read of a report with %j', async (report) => {
  expect(await read(writeReport(report))).toBeNull()
})

it('a mail to an address of several people has not failed while it reached one', async () => {
  const reached = 'Final-Recipient: rfc822; eve@shop.example\nAction: relayed\nStatus: 2.0.0'
  expect(await read(writeReport({ more: [reached] }))).toMatchObject({ isPermanent: false })
  const failed = 'Final-Recipient: rfc822; eve@shop.example\nAction: failed\nStatus: 5.1.1'
  const late = { action: 'delayed', status: '4.0.0', more: [failed] }
  expect(await read(writeReport(late))).toMatchObject({ isPermanent: true })
})

it('a line has nothing that could disguise it, and 200 characters', async () => {
  const diagnostic = `smtp; 550 5.1.1 \u202Eevil\u0007 ${'x'.repeat(5_000)}`
  const { line = '' } = (await read(writeReport({ diagnostic }))) ?? {}
  expect(line).toHaveLength(200)
  expect(line).toMatch(/^550 5\.1\.1 {1,2}evil {1,2}x/)
})

it('only the first 32 KB of a report count', async () => {
  const diagnostic = `smtp; 550${' more\r\n'.repeat(10_000)} words`
  expect(await read(writeReport({ diagnostic }))).toMatchObject({ isPermanent: true })
  const late = Array.from({ length: 2_000 }, () => 'X-Nothing: of interest')
  const more = [late.join('\n'), 'Action: failed\nStatus: 5.1.1']
  expect(await read(writeReport({ action: 'none', more }))).toBeNull()
})

it.each([
  [
    'Sorry, no mailbox here by that name. (#5.1.1)',
    true,
    'Sorry, no mailbox here by that name. (#5.1.1)',
  ],
  [
    '203.0.113.5 does not like recipient.\nRemote host said: 550 5.1.1 No such user\nGiving up on 203.0.113.5.',
    true,
    '550 5.1.1 No such user Giving up on 203.0.113.5.',
  ],
  [
    "I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again.",
    false,
    expect.any(String),
  ],
])('a report of qmail that says %j is read', async (said, isPermanent, line) => {
  expect(await read(writeQmailReport(said))).toEqual({ isPermanent, line })
})

it.each([
  writeQmailReport('Something went wrong.'),
  writePlain('I am away until Monday. (#5.1.1)\n\n<ben@shop.example>:\n(#5.1.1)', 'Out of office'),
  writePlain('Your message to <ben@shop.example> failed: 550 5.1.1 No such user'),
  writePlain(''),
  writeMail({ attachments: [] }),
])('other mails are no reports, because nothing of them is certain (%#)', async (message) => {
  expect(await read(message)).toBeNull()
})
