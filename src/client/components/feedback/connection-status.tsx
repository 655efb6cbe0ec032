import type { ConnectionStatus as Status } from '../../../shared/constants'
import { StatusBadge, type StatusTone } from './status-badge'

const STATUS_WORDS: Record<Status, { word: string; tone: StatusTone }> = {
  'never-run': { word: 'Never run', tone: 'neutral' },
  queued: { word: 'Queued', tone: 'busy' },
  running: { word: 'Running', tone: 'busy' },
  synced: { word: 'Synced', tone: 'good' },
  stale: { word: 'Stale', tone: 'warn' },
  delayed: { word: 'Delayed', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
  held: { word: 'Held', tone: 'warn' },
  paused: { word: 'Paused', tone: 'neutral' },
}

export function ConnectionStatus({ status }: { status: Status }) {
  const { word, tone } = STATUS_WORDS[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

export function isSyncing(status: Status): boolean {
  return status === 'queued' || status === 'running'
}
