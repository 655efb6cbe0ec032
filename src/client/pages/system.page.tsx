import { Skeleton } from '@mantine/core'

import { LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
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
  // Stands above all else, which moves if it comes late.
  const examination = trpc.system.examine.useQuery()
  const state = query.data
  return (
    <>
      <PageHeader title="System" subtitle="The installation: its health, growth and settings" />
      {examination.isPending && <PageSpinner label="Examining the installation" />}
      <div className={classes.panels} hidden={examination.isPending}>
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
