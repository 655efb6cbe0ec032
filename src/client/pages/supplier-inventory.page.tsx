import { Box, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'

import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import {
  ConnectionInventory,
  NoConnectionSelected,
} from '../features/inventory/connection-inventory'
import { ConnectionPicker } from '../features/inventory/connection-picker'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

import classes from './supplier-inventory.module.css'

/** A supplier's preview of its published file. */
export function SupplierInventoryPage() {
  usePageTitle('Inventory Preview')
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const { connection: chosenId } = useSearch({ from: '/supplier/supplier/inventory' })
  const connections = trpc.connections.list.useQuery().data
  // The only one needs no choosing.
  const only = connections?.length === 1 ? connections[0] : undefined
  const selected = connections?.find(({ id }) => id === chosenId) ?? only
  return (
    <>
      <PageHeader
        title="Inventory Preview"
        subtitle="The latest published file of a connection"
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            onClick={() => void utils.connections.invalidate()}
          >
            Refresh
          </Button>
        }
      />
      <div className={classes.columns}>
        <Panel title="Connections" isFlush>
          <Box p={8}>
            <ConnectionPicker
              selectedId={selected?.id}
              onSelect={({ id }) => void navigate({ to: '.', search: { connection: id } })}
            />
          </Box>
        </Panel>
        {selected ? (
          <ConnectionInventory key={selected.id} connection={selected} />
        ) : (
          connections && <NoConnectionSelected hasConnections={connections.length > 0} />
        )}
      </div>
    </>
  )
}
