import { SegmentedControl, Skeleton } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useState } from 'react'

import { formatDuration } from '../../../shared/format'
import type { RunHour } from '../../../shared/schemas/operations'
import { StackedBars } from '../../components/chart/stacked-bars'
import { TrendChart } from '../../components/chart/trend-chart'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useNow } from '../../lib/use-now'
import { trpc } from '../../trpc'
import type { FinishedRunsSubject } from './finished-runs-dialog'
import { FinishedRunsDialog } from './lazy-dialogs'
import { type RunSpan, SPAN_HOURS, toRunBars, toWaitPoints } from './run-bars'
import { RUN_SERIES } from './run-series'

import classes from './run-charts-panel.module.css'

const SPANS = {
  day: { label: '24 hours', unit: 'hour' },
  month: { label: '30 days', unit: 'day' },
}

/** What came of the runs of all suppliers, and how long they had waited; each bar leads to its runs. */
export function RunChartsPanel() {
  const [span, setSpan] = useState<RunSpan>('day')
  const query = trpc.operations.runHours.useQuery({ hours: SPAN_HOURS[span] })
  const dialog = useDialogSubject<FinishedRunsSubject>()
  return (
    <Panel
      title="Runs"
      description="What came of the syncs of all suppliers"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Time that is shown"
          data={Object.entries(SPANS).map(([value, { label }]) => ({ value, label }))}
          value={span}
          onChange={(value) => setSpan(value as RunSpan)}
        />
      }
    >
      {query.isError && !query.data ? (
        <LoadError isCompact title="The runs could not be loaded" query={query} />
      ) : query.data === undefined ? (
        <Skeleton height={182} />
      ) : query.data.length === 0 ? (
        <EmptyState isCompact icon={IconChartBar} title="No runs yet">
          Each sync is counted here once it has finished.
        </EmptyState>
      ) : (
        <RunCharts key={span} hours={query.data} span={span} onChoose={dialog.open} />
      )}
      <FinishedRunsDialog isOpen={dialog.isOpen} subject={dialog.subject} onClose={dialog.close} />
    </Panel>
  )
}

interface RunChartsProps {
  hours: RunHour[]
  span: RunSpan
  onChoose: (subject: FinishedRunsSubject) => void
}

function RunCharts({ hours, span, onChoose }: RunChartsProps) {
  const bars = toRunBars(hours, span, useNow())
  const waits = toWaitPoints(bars)
  const all = { from: bars[0]?.from ?? 0, until: bars.at(-1)?.until ?? 0 }
  const { label, unit } = SPANS[span]
  return (
    <div className={classes.charts}>
      <StackedBars
        title={`Runs by ${unit}`}
        hint="A click or Enter lists them"
        total={`Runs of the last ${label}`}
        bars={bars}
        series={RUN_SERIES}
        onChoose={({ from, until, name }) => onChoose({ from, until, name })}
        onChooseSeries={({ outcomes, name }) => {
          const [outcome, ...others] = outcomes
          return outcome && others.length === 0
            ? () => onChoose({ ...all, outcome, name })
            : undefined
        }}
      />
      {waits.length > 1 && (
        <TrendChart
          title={`Longest wait of a due sync, by ${unit}`}
          points={waits}
          format={formatDuration}
        />
      )}
    </div>
  )
}
