import { expect, it } from 'vitest'

import { readConfig } from '../config'
import { describeInbox } from './describe-inbox'

const config = readConfig({
  SFTP_PORT: '2222',
  SMTP_INBOX_PORT: '2525',
  MAIL_INBOX_DOMAIN: 'in.example.com',
})

it('tells at the start which ports of the inbox are open, and which not yet', () => {
  expect(describeInbox(config, { sftp: 'listening', smtp: 'waiting' })).toEqual([
    '  SFTP      port 2222, listening',
    '  mails     port 2525, being opened',
  ])
  expect(describeInbox(readConfig({}), null)).toEqual([])
})

it('tells at the start that the inbox is elsewhere', () => {
  expect(describeInbox(config, null)).toEqual([
    '  SFTP      in separate processes: npm run inbox',
    '  mails     in separate processes: npm run inbox',
  ])
})
