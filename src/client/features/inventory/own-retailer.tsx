import { Skeleton, Stack } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { useOwnRetailer } from '../../session/relation'

/** Loads the signed-in retailer's record and shows its loading, error and missing states. */
export function OwnRetailer({ children }: { children: (retailer: Retailer) => ReactNode }) {
  const own = useOwnRetailer()
  if (own.isPending) {
    return (
      <Stack component="output" gap="lg" aria-label="Loading your store">
        <Skeleton height={96} radius="lg" />
        <Skeleton height={260} radius="lg" />
      </Stack>
    )
  }
  if (own.isError) {
    return (
      <Panel>
        <LoadError title="Your store could not be loaded" query={own} />
      </Panel>
    )
  }
  // What is typed for one supplier does not become another's.
  if (own.data) return <Fragment key={own.data.id}>{children(own.data)}</Fragment>
  return (
    <Panel>
      <EmptyState icon={IconBuildingStore} title="No retailer data available">
        Your login is not linked to a supplier yet. Ask your supplier to finish the setup.
      </EmptyState>
    </Panel>
  )
}
