import type { DestinationKind, DispatchStatus } from '../../../shared/destinations'
import type { Destination } from '../../../shared/schemas/destination'
import type { StatusTone } from '../../components/feedback/status-badge'

/** Of each kind, what it is called, whom it is for, and how its addresses begin. */
export const KINDS: Record<DestinationKind, { name: string; note: string; start: string }> = {
  sftp: { name: 'SFTP', note: 'A folder on a server', start: 'sftp://' },
  ftp: { name: 'FTP', note: 'With TLS or without', start: 'ftps://' },
  s3: { name: 'S3 bucket', note: 'Amazon or others', start: 's3://' },
  web: { name: 'Web address', note: 'By PUT or POST', start: 'https://' },
  mail: { name: 'E-mail', note: 'To people of the company', start: '' },
}

/** `At each new file`, or `Daily at 06:00, 18:00, Europe/Berlin`. */
export function describeTimes({ times }: Pick<Destination, 'times'>, timeZone: string): string {
  return times.length === 0 ? 'At each new file' : `Daily at ${times.join(', ')}, ${timeZone}`
}

export const STATE_TONES: Record<Destination['state'], StatusTone> = {
  off: 'neutral',
  paused: 'bad',
  sending: 'busy',
  retrying: 'warn',
  ok: 'good',
  new: 'neutral',
}

export const STATE_WORDS: Record<Destination['state'], string> = {
  off: 'Off',
  paused: 'Paused',
  sending: 'Sending',
  retrying: 'Retrying',
  ok: 'Sent',
  new: 'Nothing sent yet',
}

/** What became of a file; one that waits may also be on its way, or be tried again. */
export const DISPATCH_WORDS: Record<DispatchStatus, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  skipped: 'Skipped',
}
