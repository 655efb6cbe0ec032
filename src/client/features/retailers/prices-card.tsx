import { Button, Group, Text } from '@mantine/core'

import type { RetailerPrices } from '../../../shared/schemas/price-rules'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { describeExample } from '../../lib/price-example'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'

const PricesDialog = lazyDialog(async () => (await import('./prices-dialog')).PricesDialog)

/** How the prices are made that a retailer sees. */
export function PricesCard({ retailerId }: { retailerId: number }) {
  const query = trpc.retailers.prices.useQuery({ id: retailerId })
  return (
    <Panel title="Prices" description="Those of your file, or made of its costs">
      {query.data ? (
        <Prices retailerId={retailerId} prices={query.data} />
      ) : query.isError ? (
        <LoadError isCompact title="The prices could not be loaded" query={query} />
      ) : (
        <LoadingBlock height={36} label="Loading the prices" />
      )}
    </Panel>
  )
}

function Prices({ retailerId, prices }: { retailerId: number; prices: RetailerPrices }) {
  const mayManage = useMay('manage')
  const dialog = useDialogSubject<RetailerPrices>()
  const { priceRules } = prices
  return (
    <Group justify="space-between" gap="sm">
      <Text fz="sm" c={priceRules ? undefined : 'dimmed'}>
        {priceRules ? `Made of costs. ${describeExample(priceRules)}` : 'As in your file'}
      </Text>
      {mayManage && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label="Change the prices"
          onClick={() => dialog.open(prices)}
        >
          Change
        </Button>
      )}
      <PricesDialog
        isOpen={dialog.isOpen}
        retailerId={retailerId}
        prices={dialog.subject ?? prices}
        onClose={dialog.close}
      />
    </Group>
  )
}
