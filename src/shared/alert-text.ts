import { describeNotice, noticePath } from './account-notices'
import { isNotice, type AlertKind, type NoticeKind } from './alerts'
import { SEND_MY_FILE, type Role } from './constants'
import { formatCountOf } from './format'
import type { EventDetails } from './schemas/alert'

type Told = {
  kind: AlertKind | NoticeKind | 'digest' | 'test'
  details: EventDetails
  supplierId: number | null
  connectionId: number | null
  retailerId: number | null
}

/** What a kind is called where people choose. */
export const ALERT_LABELS: Record<AlertKind, { label: string; note: string }> = {
  'feed.published': { label: 'New file', note: 'A new file was published' },
  'feed.failed': {
    label: 'Feed fails',
    note: 'The source failed three times in a row, or a file that was sent cannot be used',
  },
  'feed.held': { label: 'File held', note: 'A new file waits for a decision' },
  'feed.mail-waiting': {
    label: 'Mail waits',
    note: 'A file that came by mail waits for a decision',
  },
  'feed.late': { label: 'Feed late', note: 'The data are older than they should be' },
  'feed.recovered': { label: 'Feed recovered', note: 'A problem that was told is over' },
  'retailer.silent': {
    label: 'Retailer silent',
    note: 'A retailer that read regularly has not for a week',
  },
  'retailer.token-rotated': {
    label: 'New feed address',
    note: 'A feed address was created, the first one or in place of another',
  },
  'retailer.asks': {
    label: 'Request',
    note: 'A retailer asks for your files',
  },
  'delivery.stopped': {
    label: 'Delivery stopped',
    note: 'A file could not be sent to a destination seven times',
  },
  'webhook.switched-off': {
    label: 'Webhook switched off',
    note: 'A webhook of yours has failed for a day',
  },
  'company.leaving': {
    label: 'Account to be deleted',
    note: 'A company is to be deleted on a date',
  },
  'company.stays': { label: 'Account stays', note: 'A deletion that was told is called off' },
  'backup.failed': { label: 'Backup failed', note: 'A backup could not be made' },
  'backup.test-failed': {
    label: 'Test of a backup failed',
    note: 'A backup could not be restored into a scratch folder, or was not what was backed up',
  },
  'backup.restored': { label: 'Backup restored', note: 'A backup has replaced all data' },
  'scheduler.stalled': {
    label: 'Background work stopped',
    note: 'No process runs due syncs and cron jobs',
  },
  'scheduler.recovered': {
    label: 'Background work runs again',
    note: 'A stop that was told is over',
  },
}

/** Says what happened: a title, and a sentence or two where there is more to say. */
export function describeAlert(
  { kind, details }: Pick<Told, 'kind' | 'details'>,
  role?: Role,
): { title: string; text: string } {
  const { reason = '', rowCount, since, storeName = 'A retailer', isFirst = false } = details
  const { webhookHost = 'your program', isByHand = false } = details
  const { destinationName = 'a destination' } = details
  const name = nameConnection(details, role)
  switch (kind) {
    case 'feed.published':
      return {
        title: `${name}: a new file is published`,
        text: rowCount === undefined ? '' : `It has ${formatCountOf(rowCount, 'row')}.`,
      }
    case 'feed.failed':
      return {
        title: `${name}: ${isByHand ? 'the file that was sent cannot be used' : 'the source fails'}`,
        text: reason,
      }
    case 'feed.held':
      return { title: `${name}: the new file is held`, text: reason }
    case 'feed.mail-waiting':
      return { title: `${name}: a file that came by mail waits for you`, text: reason }
    case 'feed.late':
      return isByHand && role !== 'RETAILER'
        ? { title: `${name}: no new file has come`, text: `${lastCame(since)} ${LATE_DATA}` }
        : { title: `${name}: the data are late`, text: asOf(since) }
    case 'feed.recovered':
      return { title: `${name}: recovered`, text: reason }
    case 'retailer.silent':
      return { title: `${storeName} no longer reads its file`, text: lastRead(since) }
    case 'retailer.token-rotated':
      return {
        title: `${storeName}: a ${isFirst ? 'feed' : 'new feed'} address was created`,
        text: `${isFirst ? FIRST_ADDRESS : NEXT_ADDRESS} If you did not expect this, revoke it.`,
      }
    case 'retailer.asks':
      return {
        title: `${storeName} asks for your files`,
        text: 'It has found your card. Accept or decline on the page of your retailers.',
      }
    case 'delivery.stopped':
      return {
        title: `${storeName}: nothing is sent to ${destinationName} any more`,
        text: `Seven tries have failed. When it works again, choose “Try now”. The last time: ${reason}`,
      }
    case 'webhook.switched-off':
      return {
        title: `The webhook to ${webhookHost} is switched off`,
        text: `It has failed for a day. Switch it on again when it works. The last time: ${reason}`,
      }
    case 'company.leaving':
      return {
        title: `${nameCompany(details)} is to be deleted`,
        text: `${onDay(details.until)} ${details.storeName === undefined ? LEAVING_SUPPLIER : LEAVING_STORE}`,
      }
    case 'company.stays':
      return { title: `${nameCompany(details)} stays`, text: 'It will not be deleted.' }
    case 'account.new-sign-in':
    case 'account.password-changed':
    case 'account.mail-address-changed':
    case 'account.second-factor-on':
    case 'account.second-factor-off':
    case 'account.second-factor-replaced':
    case 'account.second-factor-required':
    case 'account.recovery-codes-made':
    case 'account.recovery-code-used':
    case 'account.passkey-added':
    case 'account.passkeys-removed':
    case 'account.passkey-refused':
    case 'account.key-made':
    case 'account.keys-expire':
    case 'account.feeds-expire':
    case 'account.feed-protection':
    case 'account.sftp-login-made':
    case 'account.sftp-login-changed':
    case 'account.destination-changed':
    case 'account.supplier-added':
    case 'account.supplier-ended':
    case 'account.recipient-refused':
      return describeNotice(kind, details)
    case 'backup.failed':
      return { title: 'A backup failed', text: reason }
    case 'backup.test-failed':
      return { title: `The test of ${details.backupName ?? 'a backup'} failed`, text: reason }
    case 'backup.restored':
      return {
        title: `${details.backupName ?? 'A backup'} was restored`,
        text: 'All data are as they were then, and everybody has to sign in again. The audit log says who did it.',
      }
    case 'scheduler.stalled':
      return {
        title: 'Background work has stopped',
        text: `${nothingSince(since)}${STALLED_ADVICE}`,
      }
    case 'scheduler.recovered':
      return { title: 'Background work runs again', text: '' }
    case 'digest':
      return { title: 'What has changed', text: '' }
    case 'test':
      return { title: 'A test', text: 'Nothing has happened: this event was sent by hand.' }
  }
}

const LATE_DATA = 'Your retailers see that the data are late.'

const STALLED_ADVICE =
  'Published files are still served, but not renewed. Look at the worker’s process and its log.'

const FIRST_ADDRESS = 'Whoever has it can read the file without signing in.'
const NEXT_ADDRESS = 'The address before works for another day.'

/** A supplier has one connection; retailers know it by the supplier's name. */
function nameConnection(
  { connectionName = 'The connection', supplierName }: EventDetails,
  role: Role | undefined,
): string {
  if (supplierName === undefined || role === 'SUPPLIER') return connectionName
  return role === 'RETAILER' ? supplierName : `${connectionName} (${supplierName})`
}

const LEAVING_SUPPLIER =
  'Until then its retailers keep their last file and their feed addresses. Their accounts are deleted with it, unless another supplier has them too.'
const LEAVING_STORE = 'Until then its file and its feed addresses work as before.'

/** A store, or else the supplier itself. */
const nameCompany = ({ storeName, supplierName = 'An account' }: EventDetails) =>
  storeName ?? supplierName

const onDay = (at: number | undefined) =>
  at === undefined ? '' : `This happens on ${toTime(at)}, unless somebody decides otherwise.`

/** In UTC, because it is also sent by mail. */
const toTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
const nothingSince = (since: number | undefined) =>
  since === undefined ? '' : `Nothing that was due has begun since ${toTime(since)}. `
const asOf = (since: number | undefined) =>
  since === undefined ? '' : `They are as of ${toTime(since)}.`
const lastCame = (since: number | undefined) =>
  since === undefined ? 'None has come yet.' : `The last one came on ${toTime(since)}.`
const lastRead = (since: number | undefined) =>
  since === undefined ? '' : `It last read it on ${toTime(since)}.`

const PRODUCT_PAGES: Partial<Record<Told['kind'], string>> = {
  'backup.failed': '/dashboard/super-admin/cron-jobs',
  'backup.test-failed': '/dashboard/super-admin/cron-jobs',
  'backup.restored': '/dashboard/super-admin/cron-jobs',
  'scheduler.stalled': '/dashboard/super-admin/operations',
  'scheduler.recovered': '/dashboard/super-admin/operations',
}

/**
 * The page on which somebody of this role finds what an event is about.
 * @param about for a retailer with its `retailerId`, also where the event is one of its supplier
 */
export function alertPath(role: Role, { kind, ...about }: Omit<Told, 'details'>): string {
  if (kind === 'webhook.switched-off') return '/alerts'
  if (isNotice(kind)) return noticePath(kind, role)
  const isAddress = kind === 'retailer.token-rotated' || kind === 'delivery.stopped'
  const shop = kind === 'delivery.stopped' ? `#${SEND_MY_FILE}` : ''
  if (role === 'RETAILER') {
    const relation = about.retailerId === null ? '' : `?relation=${about.retailerId}`
    return `/retailer${isAddress ? '/shop' : ''}${relation}${shop}`
  }
  if (role === 'SUPER_ADMIN') {
    if (about.supplierId !== null) return `/dashboard/super-admin/suppliers/${about.supplierId}`
    return PRODUCT_PAGES[kind] ?? '/alerts'
  }
  if (about.retailerId !== null) {
    return `/supplier/retailers/${about.retailerId}${isAddress ? `/shop${shop}` : ''}`
  }
  if (kind === 'retailer.asks') return '/supplier/retailers'
  if (kind === 'company.leaving' || kind === 'company.stays') return '/supplier/settings'
  const isHeld = kind === 'feed.held' && about.connectionId !== null
  return isHeld ? `/supplier/connections/${about.connectionId}/history` : '/supplier/connections'
}
