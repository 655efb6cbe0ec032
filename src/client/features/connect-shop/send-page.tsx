import { Button, Stack, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'

import type { Retailer } from '../../../shared/schemas/retailer'
import { CopyableCode } from '../../components/layout/copyable-code'
import { Panel } from '../../components/layout/panel'
import type { Shop } from '../../lib/shop-view'
import { writeShopInvitation } from './shop-invitation'

interface SendPageProps {
  retailer: Retailer
  shop: Shop | undefined
  origin: string
  newUrl: string | undefined
  hasPassword: boolean
}

/** The page as a text for the retailer, who signs in to it; with the address only while that is known. */
export function SendPage({ retailer, shop, ...address }: SendPageProps) {
  const { supplierName, storeName } = retailer
  const { newUrl } = address
  const { subject, text } = writeShopInvitation({ storeName, supplierName, shop, ...address })
  return (
    <Panel title="Send it to the retailer" description="The same page, where its shop is connected">
      <Stack gap="md" align="stretch">
        <CopyableCode code={text} label="the message" />
        {newUrl && (
          <Text c="dimmed" fz="sm" textWrap="pretty">
            The message contains the address: whoever has it can read the file.
          </Text>
        )}
        <Button
          component="a"
          variant="default"
          w="fit-content"
          href={`mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`}
          leftSection={<IconMail size={16} aria-hidden="true" />}
        >
          Write an e-mail
        </Button>
      </Stack>
    </Panel>
  )
}
