import type { NoticeKind } from './alerts'
import type { Role } from './constants'
import { formatCount } from './format'
import { SETTINGS_PATHS } from './page-paths'
import type { EventDetails } from './schemas/alert'

const OPENED_BY_LOGIN =
  'can put files or fetch them without signing in here, as far as your company may.'

const NOT_YOU =
  'If this was not you, change your password at once, and tell whoever gave you the account.'

/** Says what happened to the own account, and what to do if that was somebody else. */
export function describeNotice(
  kind: NoticeKind,
  details: EventDetails,
): { title: string; text: string } {
  const { program, clientAddress, keyNames = [], storeNames = [], until } = details
  const { destinationName, personName, supplierName, reason } = details
  const names = keyNames.join(', ')
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
    case 'account.passkey-added':
      return {
        title: `The passkey ${names} was added`,
        text: 'It signs in without the password. If this was not you, remove it in your settings, and change your password at once.',
      }
    case 'account.passkeys-removed':
      return {
        title:
          keyNames.length === 1
            ? `The passkey ${names} was removed`
            : `${formatCount(keyNames.length)} passkeys were removed`,
        text: `${keyNames.length === 1 ? 'It does' : `${names} do`} not sign in any more. ${NOT_YOU}`,
      }
    case 'account.passkey-refused':
      return {
        title: `The passkey ${names} was refused`,
        text: 'It says to have been used less often than before, as a copy of it would. If it is refused again, remove it in your settings, and add a new one.',
      }
    case 'account.key-made':
      return {
        title: `The API key ${names} was made`,
        text: 'Programs that have it call in your name. If this was not you, end it, and change your password.',
      }
    case 'account.keys-expire':
      return {
        title:
          keyNames.length === 1
            ? `The API key ${keyNames[0]} expires soon`
            : `${formatCount(keyNames.length)} API keys expire soon`,
        text: `${keyNames.length === 1 ? 'It ends' : `${names}: the first ends`} on ${toDay(until)}. Make a new one before, and give it to the program that uses it.`,
      }
    case 'account.feeds-expire':
      return {
        title:
          storeNames.length === 1
            ? `The feed address of ${storeNames[0]} expires soon`
            : 'Feed addresses expire soon',
        text: `${storeNames.length === 1 ? 'It ends' : `${storeNames.join(', ')}: the first ends`} on ${toDay(until)}. Extend it before, where the shop is connected: after that its shop is refused.`,
      }
    case 'account.feed-protection':
      return {
        title: `The protection of the feed address of ${storeNames.join(', ')} was changed`,
        text: 'See where the shop is connected what it needs now. With another password, or from another network, it is refused.',
      }
    case 'account.sftp-login-made':
      return {
        title: `An SFTP login was made for ${storeNames.join(', ')}`,
        text: `Whoever has it ${OPENED_BY_LOGIN} If nobody of your company needs it, revoke it.`,
      }
    case 'account.sftp-login-changed':
      return {
        title: `The SFTP login of ${storeNames.join(', ')} was changed`,
        text: `A program that uses it may need the new password, or another key. Whoever has it ${OPENED_BY_LOGIN}`,
      }
    case 'account.destination-changed':
      return {
        title: `The destination ${destinationName} of ${storeNames.join(', ')} was added or changed`,
        text: 'The file of the shop is sent there. If nobody of your company needs it, delete the destination.',
      }
    case 'account.supplier-added':
      return {
        title: `${supplierName} is one of your suppliers now`,
        text: 'An invitation was accepted for your company. Choose at the top of a page whose inventory you see. From before you chose your own password, no session, API key, passkey or e-mail address works any more.',
      }
    case 'account.supplier-ended':
      return {
        title: `${supplierName} is not your supplier any more`,
        text: 'Its files, their addresses and the settings for them are gone. Those of your other suppliers stay as they are.',
      }
    case 'account.recipient-refused':
      return {
        title: `${personName} gets no more files by e-mail`,
        text: `${reason ? `A mail with a file came back (${reason})` : 'The mail server says that it has no such address'}, so ${personName} was taken out of the destination ${destinationName} of ${storeNames.join(', ')}. With another confirmed address, ${personName} can be added again.`,
      }
    case 'account.mail-address-changed':
      return {
        title: 'The e-mail address was changed',
        text: 'Mail no longer goes to the address before, if there was one. If this was not you, change your password, and see where the account is signed in.',
      }
    case 'account.second-factor-on':
      return {
        title: 'The second factor was turned on',
        text: `A sign-in with the password now takes a code too. ${NOT_YOU}`,
      }
    case 'account.second-factor-off':
      return {
        title: 'The second factor was turned off',
        text: `The password alone is now enough to sign in. ${NOT_YOU}`,
      }
    case 'account.second-factor-replaced':
      return {
        title: 'The second factor was replaced',
        text: `Codes of the app of before, and its recovery codes, do not work any more. ${NOT_YOU}`,
      }
    case 'account.second-factor-required':
      return {
        title: `A second factor is asked for by ${toDay(until)}`,
        text: 'Your administrator asks for one. Turn it on in the settings: from that day on nothing else opens without it, and your API keys do not work.',
      }
    case 'account.recovery-codes-made':
      return {
        title: 'New recovery codes were made',
        text: `Those of before do not work any more. ${NOT_YOU}`,
      }
    case 'account.recovery-code-used':
      return {
        title: 'A recovery code was used',
        text: `It does not work again; new ones are made in the settings. ${NOT_YOU}`,
      }
  }
}

/** Of what is told in the app and by mail of the own account: the page on which to see to it. */
export function noticePath(kind: NoticeKind, role: Role): string {
  const isOfSessions =
    kind === 'account.new-sign-in' ||
    kind === 'account.password-changed' ||
    kind === 'account.mail-address-changed'
  if (kind === 'account.key-made' || kind === 'account.keys-expire') return '/api-keys'
  if (kind === 'account.supplier-added' || kind === 'account.supplier-ended') return HOMES[role]
  if (OF_SHOPS.has(kind)) return SHOPS[role]
  if (kind === 'account.sftp-login-made' || kind === 'account.sftp-login-changed') {
    return SFTP_PAGES[role]
  }
  return isOfSessions ? '/sessions' : SETTINGS_PATHS[role]
}

const OF_SHOPS: ReadonlySet<NoticeKind> = new Set([
  'account.feeds-expire',
  'account.feed-protection',
  'account.destination-changed',
  'account.recipient-refused',
])

const HOMES: Record<Role, string> = {
  SUPER_ADMIN: '/dashboard/super-admin',
  SUPPLIER: '/supplier',
  RETAILER: '/retailer',
}

/** Where shops are connected. */
const SHOPS: Record<Role, string> = {
  SUPER_ADMIN: '/dashboard/super-admin',
  SUPPLIER: '/supplier/retailers',
  RETAILER: '/retailer/shop',
}

/** Where the SFTP login of a company is: that of its connection, or of its shop. */
const SFTP_PAGES: Record<Role, string> = { ...SHOPS, SUPPLIER: '/supplier/connections' }

/** The page that a mail leads to: with a forgotten password, it still reaches its person. */
export const noticeMailPath = (kind: NoticeKind, role: Role): string =>
  kind === 'account.password-changed' ? '/forgotten-password' : noticePath(kind, role)

const toDay = (at: number | undefined) =>
  at === undefined ? 'a day to come' : new Date(at).toISOString().slice(0, 10)
