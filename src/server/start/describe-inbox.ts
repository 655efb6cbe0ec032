import type { Config } from '../config'
import type { InboxState } from '../inbox/inbox-process'

/**
 * The lines of the start summary about what comes over the inbox, each with whether it listens.
 * @param state null when another process has the inbox
 */
export function describeInbox({ sftp, smtpInbox }: Config, state: InboxState | null): string[] {
  const describe = (port: number, way: keyof InboxState) =>
    state
      ? `port ${port}, ${SAYINGS[state[way] ?? 'waiting']}`
      : 'in separate processes: npm run inbox'
  return [
    ...(sftp ? [`  SFTP      ${describe(sftp.port, 'sftp')}`] : []),
    ...(smtpInbox ? [`  mails     ${describe(smtpInbox.port, 'smtp')}`] : []),
  ]
}

const SAYINGS = { listening: 'listening', waiting: 'being opened' }
