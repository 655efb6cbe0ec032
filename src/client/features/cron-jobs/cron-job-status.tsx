import type { CronJob } from '../../../shared/schemas/cron-job'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'

const STATUS_WORDS: Record<CronJob['status'], { word: string; tone: StatusTone }> = {
  idle: { word: 'Idle', tone: 'neutral' },
  running: { word: 'Running', tone: 'busy' },
  succeeded: { word: 'Succeeded', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
}

export function CronJobStatus({ status }: { status: CronJob['status'] }) {
  const { word, tone } = STATUS_WORDS[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
