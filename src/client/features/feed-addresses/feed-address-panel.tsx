import { Stack, Text } from '@mantine/core'
import { IconLink, IconRefresh, IconUnlink } from '@tabler/icons-react'
import { useState } from 'react'

import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../shared/constants'
import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { CopyableCode } from '../../components/layout/copyable-code'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { SecretLinks } from '../../components/layout/secret-links'
import { trpc } from '../../trpc'
import { HowToRead } from './how-to-read'
import { useFeedAddress } from './use-feed-address'

import classes from './feed-address-card.module.css'

interface FeedAddressPanelProps {
  retailerId: number
  /** A line under the title: whose shop reads the address. */
  description: string
}

/** The address from which a shop reads its file without signing in: create, replace, revoke. */
export function FeedAddressPanel({ retailerId, description }: FeedAddressPanelProps) {
  const list = trpc.feedAddresses.list.useQuery({ id: retailerId })
  const { create, revoke, newUrl, exampleUrl, fileName } = useFeedAddress(retailerId)
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setQuestion(null)
  const hasAddress = list.data !== undefined && list.data.length > 0
  return (
    <Panel
      title="Feed address"
      description={description}
      actions={hasAddress && <Changes onAsk={setQuestion} />}
    >
      {list.isError ? (
        <LoadError isCompact title="The feed address could not be loaded" query={list} />
      ) : list.data === undefined ? (
        <LoadingBlock height={74} label="Loading the addresses" />
      ) : (
        <Addresses
          addresses={list.data}
          fileName={fileName}
          newUrl={newUrl}
          exampleUrl={exampleUrl}
          isCreating={create.isPending}
          onCreate={() => create.mutate({ id: retailerId })}
        />
      )}
      <ConfirmDialog
        isOpen={question === 'replace'}
        onClose={close}
        title="Replace the feed address"
        confirmLabel="Replace"
        isPending={create.isPending}
        onConfirm={() => create.mutate({ id: retailerId }, { onSettled: close })}
      >
        A new address is created. The present one works for another {FEED_ADDRESS_OVERLAP_HOURS}{' '}
        hours, so that the shop can be changed over without a gap.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === 'revoke'}
        onClose={close}
        title="Revoke the feed address"
        confirmLabel="Revoke"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ id: retailerId }, { onSettled: close })}
      >
        Whatever reads the file from this address stops working at once. The address cannot be
        brought back, but a new one can be created.
      </ConfirmDialog>
    </Panel>
  )
}

type Question = 'replace' | 'revoke'

const Changes = ({ onAsk }: { onAsk: (question: Question) => void }) => (
  <>
    <PanelButton icon={IconRefresh} onClick={() => onAsk('replace')}>
      Replace
    </PanelButton>
    <PanelButton icon={IconUnlink} onClick={() => onAsk('revoke')}>
      Revoke
    </PanelButton>
  </>
)

interface AddressesProps {
  addresses: FeedAddress[]
  fileName: string
  /** The address that has just been created; only now is it known as a whole. */
  newUrl: string | undefined
  /** An address without a token. */
  exampleUrl: string
  isCreating: boolean
  onCreate: () => void
}

function Addresses({
  addresses,
  fileName,
  newUrl,
  exampleUrl,
  isCreating,
  onCreate,
}: AddressesProps) {
  if (addresses.length === 0) {
    return (
      <EmptyState
        isCompact
        icon={IconLink}
        title="No address yet"
        action={
          <PendingButton isPending={isCreating} onClick={onCreate}>
            Create address
          </PendingButton>
        }
      >
        An address that stays the same, for shop importers, spreadsheets and scripts. Whoever knows
        it can read the file, without signing in.
      </EmptyState>
    )
  }
  return (
    <Stack gap="lg">
      {newUrl && (
        <output className={classes.new}>
          <Text fw={600}>Copy the address now: it is shown only once</Text>
          <CopyableCode code={newUrl} label="the feed address" />
        </output>
      )}
      <SecretLinks
        label="Feed addresses"
        links={addresses}
        toPath={(tokenEnd) => `/feeds/…${tokenEnd}/${fileName}`}
        use="Read"
      />
      <HowToRead url={newUrl ?? exampleUrl} />
    </Stack>
  )
}
