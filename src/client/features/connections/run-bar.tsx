import { Skeleton } from '@mantine/core'
import { useState } from 'react'

import { formatCountOf, formatDuration } from '../../../shared/format'
import type { SyncRun } from '../../../shared/schemas/sync-run'
import { ChartPointer } from '../../components/chart/chart-pointer'
import { describeOutcome } from '../../components/feedback/sync-outcome'
import { formatDateTime } from '../../lib/time-format'
import { trpc } from '../../trpc'

import classes from './run-bar.module.css'

const LENGTH = 20
const PLACES = Array.from({ length: LENGTH }, (_, index) => index)

/** The last 20 runs of a connection as marks whose shape and colour show the outcome. */
export function RunBar({ connectionId }: { connectionId: number }) {
  const [place, setPlace] = useState<number | null>(null)
  const { data, isError } = trpc.connections.runs.useQuery({ id: connectionId })
  if (isError) return <p className={classes.note}>The last runs could not be loaded.</p>
  if (!data) return <Skeleton height={26} mt={16} />
  if (data.length === 0) return <p className={classes.note}>No runs yet.</p>
  const runs = data.slice(0, LENGTH)
  const last = LENGTH - 1
  // Places run from left to right, runs from the newest.
  const pointed = runs[last - (place ?? last)]
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        {PLACES.map((index) => (
          <Mark
            key={runs[index]?.id ?? `none ${index}`}
            run={runs[index]}
            isPointed={place !== null && last - index === place}
          />
        ))}
        <ChartPointer
          label={`Last ${LENGTH} runs`}
          from={LENGTH - runs.length}
          to={last}
          placeAt={(share) => Math.floor(share * LENGTH)}
          place={place}
          text={pointed ? describeRun(pointed) : ''}
          onPoint={setPlace}
        />
      </div>
      <div className={classes.note}>
        {place !== null && pointed
          ? describeRun(pointed)
          : `Last ${LENGTH} runs: ${countOutcomes(runs)}`}
      </div>
    </div>
  )
}

function Mark({ run, isPointed }: { run: SyncRun | undefined; isPointed: boolean }) {
  return (
    <span
      className={classes.mark}
      data-outcome={run ? (run.outcome ?? 'running') : 'none'}
      data-pointed={isPointed || undefined}
      aria-hidden="true"
    />
  )
}

/** `Published, 21 Nov 2025, 09:41, 12,000 rows, 4.2 s`. */
function describeRun({ outcome, startedAt, rows, durationMs, reason }: SyncRun): string {
  return [
    describeOutcome(outcome).word,
    formatDateTime(startedAt),
    rows !== null && formatCountOf(rows, 'row'),
    durationMs !== null && formatDuration(durationMs),
    reason,
  ]
    .filter(Boolean)
    .join(', ')
}

/** `18 published, 2 failed`. */
function countOutcomes(runs: SyncRun[]): string {
  const counts = new Map<string, number>()
  for (const { outcome } of runs) {
    const word = describeOutcome(outcome).word.toLowerCase()
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ')
}
