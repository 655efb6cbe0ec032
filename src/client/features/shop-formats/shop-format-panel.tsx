import { Stack } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import type { ShopFormatChoice } from '../../../shared/schemas/shop-format'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { ProblemList } from '../../components/feedback/problem-list'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { trpc } from '../../trpc'
import { describeShopFormat, SHOP_FORMAT_LABELS } from './format-labels'

const ShopFormatDialog = lazyDialog(
  async () => (await import('./shop-format-dialog')).ShopFormatDialog,
)

interface ShopFormatPanelProps {
  retailerId: number
  /** A line under the title: whose shop gets the file. */
  description: string
}

/** The form in which a shop gets its file. */
export function ShopFormatPanel({ retailerId, description }: ShopFormatPanelProps) {
  const query = trpc.profiles.get.useQuery({ id: retailerId })
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="Shop format"
      description={description}
      actions={
        query.data && (
          <PanelButton icon={IconAdjustments} onClick={() => setOpen(true)}>
            Change format
          </PanelButton>
        )
      }
    >
      {query.isError ? (
        <LoadError isCompact title="The format could not be loaded" query={query} />
      ) : query.data ? (
        <Chosen choice={query.data} />
      ) : (
        <LoadingBlock height={42} label="Loading the format" />
      )}
      <ShopFormatDialog
        isOpen={isOpen}
        retailerId={retailerId}
        choice={query.data}
        onClose={() => setOpen(false)}
      />
    </Panel>
  )
}

function Chosen({ choice: { profile, problems } }: { choice: ShopFormatChoice }) {
  const { label } = SHOP_FORMAT_LABELS[profile.kind]
  return (
    <Stack gap="md">
      <DefinitionList items={[{ term: 'Format', value: label }, ...describeShopFormat(profile)]} />
      {problems && problems.length > 0 && (
        <ProblemList
          title={`${formatCountOf(problems.length, 'note')} on the file`}
          problems={problems}
        />
      )}
    </Stack>
  )
}
