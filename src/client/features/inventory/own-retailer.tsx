import { Skeleton, Stack } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { EmptyState, LoadError } from '../../components/message-state'
import { Panel } from '../../components/panel'
import { trpc } from '../../trpc'

/** A retailer's list holds its own record only: shows it, or its loading, error or absence. */
export function OwnRetailer({ children }: { children: (retailer: Retailer) => ReactNode }) {
  const list = trpc.retailers.list.useQuery()
  if (list.isPending) {
    return (
      <Stack component="output" gap="lg" aria-label="Loading your store">
        <Skeleton height={96} radius="lg" />
        <Skeleton height={260} radius="lg" />
      </Stack>
    )
  }
  if (list.isError) {
    return (
      <Panel>
        <LoadError title="Your store could not be loaded" query={list} />
      </Panel>
    )
  }
  const [retailer] = list.data
  if (retailer) return children(retailer)
  return (
    <Panel>
      <EmptyState
        icon={<IconBuildingStore size={20} stroke={1.75} />}
        title="No retailer data available"
      >
        Your login is not linked to a supplier yet. Ask your supplier to finish setting you up.
      </EmptyState>
    </Panel>
  )
}
