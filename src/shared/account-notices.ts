import type { NoticeKind } from './alerts'
import type { EventDetails } from './schemas/alert'

/** Says what happened to the own account, and what to do if that was somebody else. */
export function describeNotice(
  kind: NoticeKind,
  { program, clientAddress }: EventDetails,
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
    case 'account.mail-address-changed':
      return {
        title: 'The e-mail address was changed',
        text: 'Mail no longer goes to the address before, if there was one. If this was not you, change your password, and see where the account is signed in.',
      }
  }
}

/** The page on which to see to it: with a forgotten password, a mail still reaches its person. */
export const noticePath = (kind: NoticeKind) =>
  kind === 'account.password-changed' ? '/forgotten-password' : '/sessions'
