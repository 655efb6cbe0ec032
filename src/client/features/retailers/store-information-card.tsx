import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { storeUrlToHref } from '../../../shared/web-address'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { DefinitionList } from '../../components/layout/definition-list'
import { ExternalLink } from '../../components/layout/external-link'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { useMay } from '../../session/may'

const StoreInformationDialog = lazyDialog(
  async () => (await import('./store-information-dialog')).StoreInformationDialog,
)

/** A retailer's Store Information card with its edit dialog. */
export function StoreInformationCard({ retailer }: { retailer: Retailer | null }) {
  const mayChange = useMay('company')
  const [isOpen, dialog] = useDisclosure(false)
  const href = retailer?.storeUrl ? storeUrlToHref(retailer.storeUrl) : undefined
  return (
    <>
      <Panel
        title="Store Information"
        actions={
          mayChange && (
            <PanelButton icon={IconPencil} onClick={dialog.open}>
              Edit Store Information
            </PanelButton>
          )
        }
      >
        <DefinitionList
          items={[
            { term: 'Store Name', value: retailer?.storeName || 'Not configured' },
            ...(retailer?.storeUrl && href
              ? [
                  {
                    term: 'Website',
                    value: <ExternalLink href={href}>{retailer.storeUrl}</ExternalLink>,
                  },
                ]
              : []),
          ]}
        />
      </Panel>
      <StoreInformationDialog isOpen={isOpen} retailer={retailer} onClose={dialog.close} />
    </>
  )
}
