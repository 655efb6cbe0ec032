import { Skeleton } from '@mantine/core'
import { IconBuildingStore, IconPlugConnected } from '@tabler/icons-react'

import { DEFAULT_MAX_RETAILERS, RETAILER_SORT_COLUMNS } from '../../shared/constants'
import { formatCount } from '../../shared/format'
import { ButtonLink } from '../components/links'
import { ErrorState } from '../components/message-state'
import { PageHeader } from '../components/page-header'
import { Panel } from '../components/panel'
import { StatCard } from '../components/stat-card'
import { Truncated } from '../components/truncated'
import { ConnectionHealth } from '../features/connections/connection-health'
import { FirstSteps } from '../features/connections/first-steps'
import { errorMessage } from '../lib/error-message'
import { pageRequest } from '../lib/list-view'
import { useSignedInUser } from '../session/current-user'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './supplier-dashboard.module.css'

/** A supplier's dashboard. */
export function SupplierDashboardPage() {
  usePageTitle('Dashboard')
  const user = useSignedInUser()
  const retailers = trpc.retailers.page.useQuery(pageRequest({}, RETAILER_SORT_COLUMNS))
  const connections = trpc.connections.list.useQuery()
  const error = retailers.error ?? connections.error
  const isLoaded = retailers.data !== undefined && connections.data !== undefined
  const isActive = connections.data?.some((connection) => connection.isActive) ?? false
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
            icon={<IconBuildingStore size={18} stroke={1.75} />}
            value={isLoaded ? formatCount(retailers.data.totalCount) : <FigureSkeleton />}
            label={`of ${maxRetailers} maximum allowed retailers`}
          />
          <StatCard
            title="Connection Status"
            icon={<IconPlugConnected size={18} stroke={1.75} />}
            value={
              isLoaded ? (
                <>
                  {isActive ? 'Active' : 'Not Active'}
                  <span className={classes.dot} data-active={isActive} aria-hidden="true" />
                </>
              ) : (
                <FigureSkeleton />
              )
            }
            label="Data integration status"
          />
        </div>
      )}
      {connections.data?.map((connection) => (
        <div key={connection.id} className={classes.feed}>
          <Panel
            title={connection.name}
            description={<Truncated text={connection.config.url} dir="ltr" />}
            actions={
              <ButtonLink to="/supplier/connections" variant="default" size="xs">
                Open Connections
              </ButtonLink>
            }
          >
            <ConnectionHealth connection={connection} />
          </Panel>
        </div>
      ))}
      {isLoaded && (
        <FirstSteps
          hasConnection={connections.data.length > 0}
          hasRetailer={retailers.data.totalCount > 0}
        />
      )}
    </>
  )
}

function FigureSkeleton() {
  return <Skeleton height={24} width={72} my={5} />
}
