import { Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useId } from 'react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { DeliveryPreferencesForm } from './delivery-preferences-form'
import { LatestFile } from './latest-file'
import { RowsTrend } from './rows-trend'

import classes from './inventory-data-card.module.css'

/** The 'Inventory Data' card of the retailer dashboard. */
export function InventoryDataCard({ retailer }: { retailer: Retailer }) {
  const [latestId, preferencesId] = [useId(), useId()]
  const utils = trpc.useUtils()
  const save = trpc.retailers.updateDeliveryPreferences.useMutation({
    onSuccess: async () => {
      showSuccess('Your delivery preferences have been updated successfully', 'Settings updated')
      await utils.retailers.own.invalidate()
    },
    onError: (error) => showFailure(error),
  })
  return (
    <Panel
      title="Inventory Data"
      description="Your latest file and how it is delivered"
      actions={
        <PanelButton
          icon={IconRefresh}
          onClick={() => {
            void utils.retailers.latestFile.invalidate()
            void utils.retailers.changes.invalidate()
            void utils.retailers.rowCounts.invalidate()
          }}
        >
          Refresh
        </PanelButton>
      }
    >
      <div className={classes.file}>
        <section aria-labelledby={latestId}>
          <Title order={3} mb="sm" id={latestId}>
            Latest file
          </Title>
          <LatestFile retailer={retailer} />
        </section>
        <RowsTrend retailerId={retailer.id} />
      </div>
      <section className={classes.preferences} aria-labelledby={preferencesId}>
        <Title order={3} id={preferencesId}>
          Delivery preferences
        </Title>
        <DeliveryPreferencesForm
          saved={retailer}
          isPending={save.isPending}
          error={save.error}
          onSave={(delivery, callbacks) => save.mutate({ id: retailer.id, ...delivery }, callbacks)}
        />
      </section>
    </Panel>
  )
}
