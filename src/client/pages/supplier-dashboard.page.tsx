import { Box, Group, Skeleton } from '@mantine/core'
import { IconBuildingStore, IconPlugConnected } from '@tabler/icons-react'

import { DEFAULT_MAX_RETAILERS, RETAILER_SORT_COLUMNS } from '../../shared/constants'
import { formatCount } from '../../shared/format'
import type { Connection } from '../../shared/schemas/connection'
import { StatCard } from '../components/chart/stat-card'
import { ConnectionStatus } from '../components/feedback/connection-status'
import { FreshnessBadge } from '../components/feedback/freshness-badge'
import { ErrorState } from '../components/feedback/message-state'
import { TimeAgo } from '../components/feedback/time-ago'
import { ButtonLink, TextLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { SourcePlace } from '../components/layout/source-place'
import { ConnectionHealth } from '../features/connections/connection-health'
import { FirstSteps } from '../features/connections/first-steps'
import { LastChangeCard } from '../features/publishing/last-change-card'
import { ReadersCard } from '../features/retailers/readers-card'
import { RowsChart } from '../features/timeline/rows-chart'
import { errorMessage } from '../lib/error-message'
import { pageRequest } from '../lib/list-view'
import { useSignedInUser } from '../session/current-user'
import { useMay } from '../session/may'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './supplier-dashboard.module.css'

/** A supplier's dashboard. */
export function SupplierDashboardPage() {
  usePageTitle('Dashboard')
  const user = useSignedInUser()
  const retailers = trpc.retailers.page.useQuery(pageRequest({}, RETAILER_SORT_COLUMNS))
  const connections = trpc.connections.list.useQuery()
  const readers = trpc.retailers.readers.useQuery()
  const mayManage = useMay('manage')
  const error = retailers.error ?? connections.error
  const isLoaded = retailers.data !== undefined && connections.data !== undefined
  const connection = connections.data?.[0]
  const isActive = connection?.isActive ?? false
  const maxRetailers = user.maxRetailers ?? DEFAULT_MAX_RETAILERS
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.companyName ?? user.displayName ?? user.username}`}
        subtitle="Manage your retailer connections and data integrations"
      />
      {error ? (
        <Panel>
          <ErrorState
            title="The dashboard could not be loaded"
            message={errorMessage(error)}
            isRetrying={retailers.isFetching || connections.isFetching}
            onRetry={() => {
              void retailers.refetch()
              void connections.refetch()
            }}
          />
        </Panel>
      ) : (
        <div className={classes.cards}>
          <StatCard
            title="Total Retailers"
            icon={IconBuildingStore}
            value={isLoaded ? formatCount(retailers.data.totalCount) : <FigureSkeleton />}
            label={`of ${maxRetailers} maximum allowed retailers`}
          />
          <StatCard
            title="Connection Status"
            icon={IconPlugConnected}
            value={
              isLoaded ? (
                <span className={classes.status}>
                  <span>{isActive ? 'Active' : 'Not Active'}</span>
                  {connection && <ConnectionStatus status={connection.status} />}
                </span>
              ) : (
                <FigureSkeleton />
              )
            }
            label="Data integration status"
          >
            {connection && <Freshness connection={connection} />}
          </StatCard>
          <ReadersCard />
          {connection && <LastChangeCard connectionId={connection.id} />}
        </div>
      )}
      {connection && <ConnectionPanel connection={connection} />}
      {isLoaded && readers.data && mayManage && (
        <FirstSteps
          connection={connection}
          hasRetailer={retailers.data.totalCount > 0}
          hasReader={readers.data.never < readers.data.total}
        />
      )}
    </>
  )
}

const Freshness = ({ connection }: { connection: Connection }) => (
  <Group gap="6px 10px" mt={12} c="dimmed" fz="sm">
    <span>
      {connection.lastSync ? (
        <>
          Data as of <TimeAgo instant={connection.lastSync} />{' '}
          <FreshnessBadge freshness={connection.freshness} />
        </>
      ) : (
        'Never synced yet'
      )}
    </span>
    {connection.status === 'held' ? (
      <TextLink
        to="/supplier/connections/$connectionId/comparison"
        params={{ connectionId: String(connection.id) }}
        fz="sm"
      >
        Compare the held file
      </TextLink>
    ) : (
      needsLook(connection) && (
        <TextLink to="/supplier/connections" fz="sm">
          See why
        </TextLink>
      )
    )}
  </Group>
)

const needsLook = ({ status, freshness }: Connection) =>
  status === 'failed' || freshness === 'late' || freshness === 'overdue'

function ConnectionPanel({ connection }: { connection: Connection }) {
  const mayDecide = useMay('manage')
  return (
    <Box mt={20}>
      <Panel
        title={connection.name}
        description={<SourcePlace url={connection.config.url} />}
        actions={
          <ButtonLink to="/supplier/connections" variant="default" size="xs">
            Open Connections
          </ButtonLink>
        }
      >
        <div className={classes.panel}>
          <ConnectionHealth
            connection={connection}
            heldNote={
              <TextLink
                inherit
                to="/supplier/connections/$connectionId/comparison"
                params={{ connectionId: String(connection.id) }}
              >
                {mayDecide ? 'Compare it, and decide' : 'Compare it'}
              </TextLink>
            }
          />
          <RowsChart connectionId={connection.id} />
        </div>
      </Panel>
    </Box>
  )
}

function FigureSkeleton() {
  return <Skeleton height={24} width={72} my={5} />
}
