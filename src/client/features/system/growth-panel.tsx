import { Text } from '@mantine/core'

import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { SystemState } from '../../../shared/schemas/system'
import { TrendChart } from '../../components/chart/trend-chart'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { StatusBadge } from '../../components/feedback/status-badge'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'

import classes from './system.module.css'

/** Less than so many days from now, somebody has to see to it. */
const SOON_DAYS = 30

/** How large everything is, how it grows, and when the disk will be full. */
export function GrowthPanel({ state }: { state: SystemState }) {
  const { disk, sizes } = state
  const used = disk.totalBytes - disk.freeBytes
  const points = sizes.map(({ day, databaseBytes, filesBytes, backupsBytes }) => ({
    at: day,
    value: databaseBytes + filesBytes + (backupsBytes ?? 0),
  }))
  return (
    <Panel title="Size and growth" description="Measured once a day by the clean-up job">
      <div className={classes.disk}>
        <Text component="div" fw={550}>
          {formatFileSize(disk.freeBytes, 1)} of {formatFileSize(disk.totalBytes, 1)} free on the
          disk
        </Text>
        <ProgressBar
          label="Disk space in use"
          share={disk.totalBytes === 0 ? 0 : used / disk.totalBytes}
        />
        <Forecast forecast={disk.forecast} />
      </div>
      <DefinitionList items={listSizes(state)} />
      {points.length > 1 && (
        <div className={classes.chart}>
          <TrendChart
            title="Database, files and backups"
            points={points}
            format={(bytes) => formatFileSize(bytes, 1)}
            base={1024}
          />
        </div>
      )}
    </Panel>
  )
}

function Forecast({ forecast }: { forecast: SystemState['disk']['forecast'] }) {
  if (forecast.state === 'unknown') {
    const { days, neededDays } = forecast
    return (
      <Text component="div" c="dimmed" fz="sm">
        Too early for a forecast: measured on {formatCountOf(days, 'day')} so far, and {neededDays}{' '}
        are needed.
      </Text>
    )
  }
  if (forecast.state === 'steady') return <StatusBadge tone="good">Not filling up</StatusBadge>
  const { fullInDays, bytesPerDay } = forecast
  if (fullInDays === 0) return <StatusBadge tone="bad">Full: syncs wait for room</StatusBadge>
  return (
    <div className={classes.forecast}>
      <StatusBadge tone={fullInDays < SOON_DAYS ? 'warn' : 'neutral'}>
        Full in {formatCountOf(fullInDays, 'day')}
      </StatusBadge>
      <Text component="span" c="dimmed" fz="sm">
        if {formatFileSize(bytesPerDay, 1)} are added each day, as lately
      </Text>
    </div>
  )
}

function listSizes({ sizes, growth }: SystemState) {
  const last = sizes.at(-1)
  const tell = (bytes: number | null | undefined, perDay: number | null | undefined) => {
    if (bytes === undefined) return 'Not measured yet'
    if (bytes === null) return 'Could not be measured'
    const change = perDay
      ? `, ${perDay > 0 ? '+' : '−'}${formatFileSize(Math.abs(perDay), 1)} a day`
      : ''
    return formatFileSize(bytes, 1) + change
  }
  return [
    { term: 'Database', value: tell(last?.databaseBytes, growth?.databaseBytes) },
    { term: 'Files', value: tell(last?.filesBytes, growth?.filesBytes) },
    { term: 'Backups', value: tell(last?.backupsBytes, growth?.backupsBytes) },
  ]
}
