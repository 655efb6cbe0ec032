import { Skeleton } from '@mantine/core'

import { LoadError } from '../components/feedback/message-state'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { GrowthPanel } from '../features/system/growth-panel'
import { HealthPanel } from '../features/system/health-panel'
import { InstallationPanel } from '../features/system/installation-panel'
import { ProcessesPanel } from '../features/system/processes-panel'
import { SettingsPanel } from '../features/system/settings-panel'
import { TestPanel } from '../features/system/test-panel'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './panels.module.css'

/** The installation itself: what it needs, what it is, and how it grows. */
export function SystemPage() {
  usePageTitle('System')
  const query = trpc.system.state.useQuery()
  const state = query.data
  return (
    <>
      <PageHeader title="System" subtitle="The installation: its health, growth and settings" />
      <div className={classes.panels}>
        <HealthPanel />
        {query.isError && !state ? (
          <Panel title="Installation">
            <LoadError isCompact title="The installation could not be loaded" query={query} />
          </Panel>
        ) : state ? (
          <>
            <InstallationPanel state={state} />
            <GrowthPanel state={state} />
            <ProcessesPanel state={state} />
            <TestPanel state={state} />
          </>
        ) : (
          <Panel title="Installation">
            <Skeleton height={200} />
          </Panel>
        )}
        <SettingsPanel />
      </div>
    </>
  )
}
