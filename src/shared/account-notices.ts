import type { NoticeKind } from './alerts'
import { formatCount } from './format'
import type { EventDetails } from './schemas/alert'

/** Says what happened to the own account, and what to do if that was somebody else. */
export function describeNotice(
  kind: NoticeKind,
  { program, clientAddress, keyNames = [], until }: EventDetails,
): { title: string; text: string } {
  switch (kind) {
    case 'account.new-sign-in':
      return {
        title: `New sign-in with ${program ?? 'another program'}`,
        text: `It came from ${clientAddress || 'an unknown address'}. If this was not you, change your password: that ends all sessions.`,
      }
    case 'account.password-changed':
      return {
        title: 'The password was changed',
        text: 'All other sessions have ended. If this was not you, set a new password at once, and tell whoever gave you the account.',
      }
    case 'account.key-made':
      return {
        title: `The API key ${keyNames.join(', ')} was made`,
        text: 'Programs that have it call in your name. If this was not you, end it, and change your password.',
      }
    case 'account.keys-expire':
      return {
        title:
          keyNames.length === 1
            ? `The API key ${keyNames[0]} expires soon`
            : `${formatCount(keyNames.length)} API keys expire soon`,
        text: `${keyNames.length === 1 ? 'It ends' : `${keyNames.join(', ')}: the first ends`} on ${toDay(until)}. Make a new one before, and give it to the program that uses it.`,
      }
    case 'account.mail-address-changed':
      return {
        title: 'The e-mail address was changed',
        text: 'Mail no longer goes to the address before, if there was one. If this was not you, change your password, and see where the account is signed in.',
      }
  }
}

const toDay = (at: number | undefined) =>
  at === undefined ? 'a day to come' : new Date(at).toISOString().slice(0, 10)

/** The page on which to see to it: with a forgotten password, a mail still reaches its person. */
export function noticePath(kind: NoticeKind): string {
  if (kind === 'account.password-changed') return '/forgotten-password'
  return kind === 'account.key-made' || kind === 'account.keys-expire' ? '/api-keys' : '/sessions'
}
