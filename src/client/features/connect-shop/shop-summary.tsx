import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DefinitionList } from '../../components/layout/definition-list'
import { TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { SHOP_FORMAT_LABELS } from '../../lib/shop-format-labels'
import { useNow } from '../../lib/use-now'
import { trpc } from '../../trpc'
import { findLastUse, findRefusal, isExpired } from './shop-read'

/** Whether a retailer's shop reads at its address, and in which format, in a few words for its supplier. */
export function ShopSummary({ retailerId }: { retailerId: number }) {
  const addresses = trpc.feedAddresses.list.useQuery({ id: retailerId })
  const choice = trpc.profiles.get.useQuery({ id: retailerId })
  const failed = [addresses, choice].find(({ isError, data }) => isError && !data)
  return (
    <Panel title="The shop" description="Whether it reads by its own address, and in which format">
      {failed ? (
        <LoadError isCompact title="The shop could not be loaded" query={failed} />
      ) : addresses.data && choice.data ? (
        <DefinitionList
          items={[
            { term: 'State', value: <State addresses={addresses.data} /> },
            { term: 'Format', value: SHOP_FORMAT_LABELS[choice.data.profile.kind].label },
            {
              term: 'More',
              value: (
                <TextLink
                  to="/supplier/retailers/$retailerId/shop"
                  params={{ retailerId: String(retailerId) }}
                >
                  Open its page
                </TextLink>
              ),
            },
          ]}
        />
      ) : (
        <LoadingBlock height={42} label="Loading the shop" />
      )}
    </Panel>
  )
}

function State({ addresses }: { addresses: FeedAddress[] }) {
  const now = useNow()
  const [newest] = addresses
  const refusal = findRefusal(addresses)
  const read = findLastUse(addresses)
  if (refusal) {
    return (
      <StatusBadge tone="bad">
        Refused <TimeAgo instant={refusal.at} />
      </StatusBadge>
    )
  }
  if (newest && isExpired(newest, now)) return <StatusBadge tone="bad">Expired</StatusBadge>
  if (read) return <StatusBadge tone="good">Connected</StatusBadge>
  if (newest) return <StatusBadge tone="warn">Waiting for the first read</StatusBadge>
  return <StatusBadge tone="neutral">Not connected</StatusBadge>
}
