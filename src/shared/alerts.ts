import type { Role } from './constants'

/** What people can be told of. */
export const ALERT_KINDS = [
  'feed.published',
  'feed.failed',
  'feed.held',
  'feed.mail-waiting',
  'feed.late',
  'feed.recovered',
  'retailer.silent',
  'retailer.token-rotated',
  'retailer.asks',
  'delivery.stopped',
  'webhook.switched-off',
  'company.leaving',
  'company.stays',
  'backup.failed',
  'backup.test-failed',
  'backup.restored',
  'scheduler.stalled',
  'scheduler.recovered',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** What happened to the own account, of which its person is always told. */
export const NOTICE_KINDS = [
  'account.new-sign-in',
  'account.password-changed',
  'account.mail-address-changed',
  'account.second-factor-on',
  'account.second-factor-off',
  'account.second-factor-replaced',
  'account.second-factor-required',
  'account.recovery-codes-made',
  'account.recovery-code-used',
  'account.passkey-added',
  'account.passkeys-removed',
  'account.passkey-refused',
  'account.key-made',
  'account.keys-expire',
  'account.feeds-expire',
  'account.feed-protection',
  'account.sftp-login-made',
  'account.sftp-login-changed',
  'account.destination-changed',
  'account.supplier-added',
  'account.supplier-ended',
  'account.recipient-refused',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const isNotice = (kind: string): kind is NoticeKind =>
  NOTICE_KINDS.some((known) => known === kind)

/** The ways in which a person is told; webhooks have kinds of their own. */
export const ALERT_WAYS = ['bell', 'mail'] as const
export type AlertWay = (typeof ALERT_WAYS)[number]

/** Which roles an event of a kind concerns, and how they are told unless they choose otherwise. */
const AUDIENCE: Record<AlertKind, Partial<Record<Role, readonly AlertWay[]>>> = {
  'feed.published': { SUPPLIER: [], SUPER_ADMIN: [] },
  'feed.failed': { SUPPLIER: ['bell', 'mail'], SUPER_ADMIN: [] },
  'feed.held': { SUPPLIER: ['bell', 'mail'], SUPER_ADMIN: [] },
  'feed.mail-waiting': { SUPPLIER: ['bell', 'mail'], SUPER_ADMIN: [] },
  'feed.late': { SUPPLIER: ['bell', 'mail'], RETAILER: ['bell'], SUPER_ADMIN: [] },
  'feed.recovered': { SUPPLIER: ['bell', 'mail'], RETAILER: ['bell'], SUPER_ADMIN: [] },
  'retailer.silent': { SUPPLIER: ['bell'], SUPER_ADMIN: [] },
  'retailer.token-rotated': { SUPPLIER: ['bell'], RETAILER: ['bell', 'mail'], SUPER_ADMIN: [] },
  'retailer.asks': { SUPPLIER: ['bell', 'mail'], SUPER_ADMIN: [] },
  'delivery.stopped': { SUPPLIER: ['bell', 'mail'], RETAILER: ['bell', 'mail'], SUPER_ADMIN: [] },
  'webhook.switched-off': { SUPPLIER: ['bell', 'mail'], SUPER_ADMIN: ['bell', 'mail'] },
  'company.leaving': {
    SUPPLIER: ['bell', 'mail'],
    RETAILER: ['bell', 'mail'],
    SUPER_ADMIN: ['bell'],
  },
  'company.stays': {
    SUPPLIER: ['bell', 'mail'],
    RETAILER: ['bell', 'mail'],
    SUPER_ADMIN: ['bell'],
  },
  'backup.failed': { SUPER_ADMIN: ['bell', 'mail'] },
  'backup.test-failed': { SUPER_ADMIN: ['bell', 'mail'] },
  'backup.restored': { SUPER_ADMIN: ['bell', 'mail'] },
  'scheduler.stalled': { SUPER_ADMIN: ['bell', 'mail'] },
  'scheduler.recovered': { SUPER_ADMIN: ['bell', 'mail'] },
}

/** The kinds that concern a role. */
export function listAlertKinds(role: Role): AlertKind[] {
  return ALERT_KINDS.filter((kind) => AUDIENCE[kind][role] !== undefined)
}

/** Whether somebody of this role is told of a kind in this way without having chosen. */
export function isWantedByDefault(role: Role, kind: AlertKind, way: AlertWay): boolean {
  return AUDIENCE[kind][role]?.includes(way) ?? false
}
