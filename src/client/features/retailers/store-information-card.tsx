import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { storeUrlToHref } from '../../../shared/web-address'
import { DefinitionList } from '../../components/definition-list'
import { ExternalLink } from '../../components/external-link'
import { lazyDialog } from '../../components/lazy-dialog'
import { Panel } from '../../components/panel'

const StoreInformationDialog = lazyDialog(
  async () => (await import('./store-information-dialog')).StoreInformationDialog,
)

/** A retailer's Store Information card with its edit dialog. */
export function StoreInformationCard({ retailer }: { retailer: Retailer | null }) {
  const [isOpen, dialog] = useDisclosure(false)
  const href = retailer?.storeUrl ? storeUrlToHref(retailer.storeUrl) : undefined
  return (
    <>
      <Panel
        title="Store Information"
        actions={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} aria-hidden="true" />}
            onClick={dialog.open}
          >
            Edit Store Information
          </Button>
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
