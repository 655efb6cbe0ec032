import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'

import type { EffectiveSetting } from '../../../shared/schemas/system'
import { LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { trpc } from '../../trpc'

import classes from './system.module.css'

const SOURCES: Record<EffectiveSetting['source'], string> = {
  default: 'Default',
  environment: 'Environment',
  dotenv: 'The file .env',
  file: 'A file of its own',
}

const COLUMNS: Column<EffectiveSetting>[] = [
  {
    id: 'name',
    header: 'Setting',
    minWidth: 300,
    cell: ({ name, purpose }) => (
      <>
        <code className={classes.name}>{name}</code>
        <Text component="div" c="dimmed" fz="xs" className={classes.purpose}>
          {purpose.replaceAll('`', '')}
        </Text>
      </>
    ),
  },
  { id: 'value', header: 'Value', minWidth: 220, cell: (setting) => <Value setting={setting} /> },
  { id: 'source', header: 'From', width: 150, cell: ({ source }) => SOURCES[source] },
]

function Value({ setting: { value } }: { setting: EffectiveSetting }) {
  if (value === null) return <Text c="dimmed">Set, not shown</Text>
  if (value === '') return <Text c="dimmed">Not set</Text>
  return <code className={classes.value}>{value}</code>
}

/** The settings in effect, with where each comes from. They are changed where the product is started. */
export function SettingsPanel() {
  const query = trpc.system.settings.useQuery()
  const [shown, setShown] = useState('set')
  const settings = query.data?.filter(({ source }) => shown === 'all' || source !== 'default')
  return (
    <Panel
      isFlush
      title="Settings"
      description="In effect since the start of the process that answers; read-only"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Settings that are shown"
          data={[
            { value: 'set', label: 'Set here' },
            { value: 'all', label: 'All' },
          ]}
          value={shown}
          onChange={setShown}
        />
      }
    >
      {query.isError && !query.data ? (
        <LoadError isCompact title="The settings could not be loaded" query={query} />
      ) : settings?.length === 0 ? (
        <Text className={classes.none} c="dimmed">
          All settings have their defaults.
        </Text>
      ) : (
        <DataTable label="Settings" columns={COLUMNS} rows={settings} rowKey={({ name }) => name} />
      )}
    </Panel>
  )
}
