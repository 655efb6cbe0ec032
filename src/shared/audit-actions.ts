import { formatCount } from './format'

/**
 * Everything that the audit log records, as noun.verb, with what comes after who did it in a sentence;
 * `{subject}` is the name of what it was done to.
 */
const AUDIT_ACTIONS = {
  'user.sign-in': 'signed in',
  'user.sign-in-failed': 'could not sign in as {subject}',
  'user.sign-out': 'signed out',
  'user.confirm': 'confirmed to be there',
  'user.end-session': 'ended a session of {subject}',
  'user.end-sessions': 'ended the other sessions of {subject}',
  'user.create-key': 'made an API key of {subject}',
  'user.end-key': 'ended an API key of {subject}',
  'user.register': 'registered the user {subject}',
  'user.change-password': 'changed the own password',
  'user.reset-password': 'set a new password for {subject}',
  'user.recover-password': 'set a new password through the link of a mail',
  'user.turn-on-second-factor': 'turned on the second factor',
  'user.turn-off-second-factor': 'turned off the second factor',
  'user.replace-second-factor': 'replaced the second factor',
  'user.make-recovery-codes': 'made new recovery codes',
  'user.use-recovery-code': 'used a recovery code',
  'user.add-passkey': 'added a passkey',
  'user.rename-passkey': 'renamed a passkey',
  'user.remove-passkey': 'removed a passkey',
  'user.refuse-passkey': 'could not sign in as {subject} with a passkey that may be a copy',
  'user.view': 'began to view the product as {subject}',
  'user.stop-viewing': 'stopped viewing the product as {subject}',
  'person.change-role': 'changed the role of {subject}',
  'person.change-access': 'changed whether {subject} may sign in',
  'person.turn-off-second-factor': 'turned off the second factor of {subject}',
  'person.remove-passkeys': 'removed the passkeys of {subject}',
  'person.remove': 'removed {subject} from the company',
  'user.download-data': 'downloaded the own data',
  'account.delete': 'deleted {subject}',
  'account.plan-deletion': 'asked for the deletion of {subject}',
  'account.keep': 'called off the deletion of {subject}',
  'administrator.create': 'created the administrator {subject}',
  'administrator.set-password': 'set a new password for the administrator {subject}',
  'administrator.turn-off-second-factor':
    'turned off the second factor of the administrator {subject}',
  'administrator.remove-passkeys': 'removed the passkeys of the administrator {subject}',
  'supplier.create': 'added the supplier {subject}',
  'supplier.update': 'changed the supplier {subject}',
  'supplier.update-profile': 'changed the company profile of {subject}',
  'supplier.change-card': 'changed the card of {subject}',
  'retailer.create': 'added the retailer {subject}',
  'retailer.update': 'changed the retailer {subject}',
  'retailer.delete': 'deleted the retailer {subject}',
  'retailer.create-feed-address': 'created a feed address for {subject}',
  'retailer.protect-feed-addresses': 'changed the protection of the feed address of {subject}',
  'retailer.revoke-feed-addresses': 'ended the feed addresses of {subject}',
  'retailer.create-sftp-login': 'made an SFTP login for {subject}',
  'retailer.change-sftp-login': 'changed the SFTP login of {subject}',
  'retailer.revoke-sftp-login': 'ended the SFTP login of {subject}',
  'retailer.read-file': 'read the file of {subject}',
  'retailer.fail-sftp-sign-in': 'could not sign in by SFTP for {subject}',
  'group.create': 'added the group {subject}',
  'group.update': 'changed the group {subject}',
  'group.delete': 'deleted the group {subject}',
  'merged-file.save': 'changed the merged file of {subject}',
  'merged-file.remove': 'ended the merged file of {subject}',
  'merged-file.create-address': 'created an address of the merged file of {subject}',
  'merged-file.revoke-addresses': 'ended the addresses of the merged file of {subject}',
  'merged-file.save-matching': 'changed the matching file of {subject}',
  'merged-file.read-file': 'read the merged file of {subject}',
  'destination.create': 'added the destination {subject}',
  'destination.update': 'changed the destination {subject}',
  'destination.delete': 'deleted the destination {subject}',
  'destination.test': 'tried the destination {subject}',
  'destination.send': 'had a file sent to the destination {subject}',
  'destination.unsubscribe': 'asked for no more files by e-mail of the destination {subject}',
  'destination.drop-recipient':
    'took somebody whose mail was refused out of the destination {subject}',
  'destination.pause': 'paused the destination {subject}, to which seven tries have failed',
  'invitation.create': 'invited {subject}',
  'invitation.send-again': 'sent the invitation of {subject} again',
  'invitation.copy-link': 'made a new link for the invitation of {subject}',
  'invitation.withdraw': 'withdrew the invitation of {subject}',
  'invitation.accept': 'accepted the invitation of {subject}',
  'request.create': 'asked for the files, for {subject}',
  'request.withdraw': 'withdrew the request of {subject}',
  'request.accept': 'accepted the request of {subject}',
  'request.decline': 'declined the request of {subject}',
  'connection.create': 'added the connection {subject}',
  'connection.update': 'changed the connection {subject}',
  'connection.update-columns': 'changed the columns of {subject}',
  'connection.update-guard': 'changed the safety checks of {subject}',
  'connection.sync': 'started a sync of {subject}',
  'connection.cancel-sync': 'cancelled the sync of {subject}',
  'connection.publish-file': 'published a held file of {subject}',
  'connection.roll-back': 'published an earlier file of {subject} again',
  'connection.discard-file': 'discarded a held file of {subject}',
  'connection.pin-file': 'pinned a file of {subject}',
  'connection.unpin-file': 'unpinned a file of {subject}',
  'connection.receive-file': 'sent a file to the connection {subject}',
  'connection.receive-by-link': 'sent a file by the upload link of {subject}',
  'connection.receive-by-mail': 'received a file by mail for {subject}',
  'connection.take-mail': 'took the file of a mail to {subject}',
  'connection.discard-mail': 'discarded a mail to {subject}',
  'connection.create-mail-inbox': 'created an address for mails to {subject}',
  'connection.change-mail-senders': 'changed whose mails to {subject} are taken',
  'connection.revoke-mail-inbox': 'ended the address for mails to {subject}',
  'connection.receive-by-sftp': 'sent a file by SFTP to the connection {subject}',
  'connection.fail-sftp-sign-in': 'could not sign in by SFTP to the connection {subject}',
  'connection.create-upload-link': 'created an upload link for {subject}',
  'connection.revoke-upload-links': 'ended the upload links of {subject}',
  'connection.create-sftp-login': 'made an SFTP login for {subject}',
  'connection.change-sftp-login': 'changed the SFTP login of {subject}',
  'connection.revoke-sftp-login': 'ended the SFTP login of {subject}',
  'connection.read-file': 'read a file of {subject}',
  'user.choose-alerts': 'chose what to be told of',
  'user.choose-digest': 'chose what to be told of in digests',
  'user.enter-mail-address': 'entered an e-mail address for alerts',
  'user.confirm-mail-address': 'confirmed an e-mail address for alerts',
  'user.remove-mail-address': 'removed the e-mail address for alerts',
  'user.unsubscribe': 'ended the alerts by e-mail to {subject} through the link of a mail',
  'webhook.create': 'added the webhook {subject}',
  'webhook.update': 'changed the webhook {subject}',
  'webhook.delete': 'deleted the webhook {subject}',
  'webhook.switch-off': 'switched off the webhook {subject}, which has failed for a day',
  'webhook.test': 'sent a test to the webhook {subject}',
  'webhook.send-again': 'sent an event again to the webhook {subject}',
  'job.run': 'started the job {subject}',
  'job.pause': 'paused the job {subject}',
  'job.resume': 'resumed the job {subject}',
  'job.delete': 'deleted the job {subject}',
  'job.restore': 'restored the deleted jobs',
  'backup.download': 'downloaded the backup {subject}',
  'backup.test': 'asked for a test of the backup {subject}',
  'backup.ask-restore': 'asked to restore the backup {subject}',
  'backup.restore': 'restored the backup {subject}',
  'installation.change-sign-in-rules': 'changed what is asked of all who sign in',
  'installation.send-test': 'sent a test, {subject}',
  'log.export': 'exported the audit log',
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[]

export type AuditNoun = AuditAction extends `${infer Noun}.${string}` ? Noun : never

/** What may be done to a noun. */
export type AuditVerb<Noun extends AuditNoun> =
  Extract<AuditAction, `${Noun}.${string}`> extends `${Noun}.${infer Verb}` ? Verb : never

/** The noun of an action: `connection` of `connection.update`. */
export const auditNounOf = (action: AuditAction) =>
  action.slice(0, action.indexOf('.')) as AuditNoun

export const AUDIT_NOUNS = [...new Set(AUDIT_ACTION_NAMES.map(auditNounOf))]

const NAMELESS = { web: 'Somebody', script: 'A command', worker: 'The server' } as const

type Told = {
  action: AuditAction
  actorName: string | null
  keyName?: string | null
  subjectName: string | null
  origin: keyof typeof NAMELESS
  count: number
}

/** Tells an entry as a sentence without a full stop: `ada` and `changed the retailer Corner Shop`. */
export function tellAuditEntry({ action, actorName, keyName, subjectName, origin, count }: Told) {
  const [before = '', after = ''] = AUDIT_ACTIONS[action].split('{subject}')
  const isNamed = AUDIT_ACTIONS[action].includes('{subject}')
  const rest = isNamed ? `${before}${subjectName ?? 'an unknown user'}${after}` : before
  const did = count > 1 ? `${rest}, ${formatCount(count)} times` : rest
  const key = keyName ? ` (by the key ${keyName})` : ''
  return { who: actorName ?? NAMELESS[origin], did: `${did}${key}` }
}

/** The same in one text. */
export function describeAuditEntry(entry: Told): string {
  const { who, did } = tellAuditEntry(entry)
  return `${who} ${did}`
}
