import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'

import { Panel } from '../../components/layout/panel'
import { ItemHistory, type ItemHistoryProps } from './item-history'
import { ItemSearch } from './item-search'

/** Looks up an item by its SKU, which stands in the address, and shows what it was over time. */
export function ItemLookup({ sku, query }: ItemHistoryProps) {
  const navigate = useNavigate()
  return (
    <Stack gap="lg">
      <Panel>
        <ItemSearch
          sku={sku}
          onSearch={(found) => void navigate({ to: '.', search: { sku: found } })}
        />
      </Panel>
      <ItemHistory sku={sku} query={query} />
    </Stack>
  )
}
