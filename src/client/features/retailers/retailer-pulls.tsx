import { formatCount } from '../../../shared/format'
import type { RetailerUsage } from '../../../shared/schemas/retailer'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { trpc } from '../../trpc'

/** How a retailer reads its file, for its supplier. */
export function RetailerPulls({ retailerId }: { retailerId: number }) {
  const query = trpc.retailers.usage.useQuery({ ids: [retailerId] })
  const [usage] = query.data ?? []
  return (
    <Panel
      title="Reads of the file"
      description="By the retailer and its shop, also when the file had not changed"
    >
      {query.isError ? (
        <LoadError isCompact title="The reads could not be loaded" query={query} />
      ) : usage ? (
        <Figures usage={usage} />
      ) : (
        <LoadingBlock height={42} label="Loading the reads" />
      )}
    </Panel>
  )
}

function Figures({ usage }: { usage: RetailerUsage }) {
  const { lastPull, client, pullsIn7Days, versionsBehind, isSilent } = usage
  const behind = versionsBehind === 0 ? 'None' : formatCount(versionsBehind ?? 0)
  return (
    <DefinitionList
      items={[
        { term: 'Last read', value: lastPull ? <TimeAgo instant={lastPull} /> : 'Never' },
        { term: 'With', value: client ?? '–' },
        { term: 'Reads in 7 days', value: formatCount(pullsIn7Days) },
        { term: 'Versions behind', value: versionsBehind === null ? '–' : behind },
        ...(isSilent
          ? [{ term: 'Status', value: <StatusBadge tone="warn">Silent</StatusBadge> }]
          : []),
      ]}
    />
  )
}
