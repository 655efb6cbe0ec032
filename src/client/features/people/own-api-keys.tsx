import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'

import type { ApiKey } from '../../../shared/schemas/api-key'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { RecordsDownload } from '../../components/layout/records-download'
import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'
import { ApiKeyTable } from './api-key-table'
import { EndApiKeyDialog } from './end-api-key-dialog'
import { useEndApiKey } from './use-end-api-key'

const MakeApiKeyDialog = lazyDialog(
  async () => (await import('./make-api-key-dialog')).MakeApiKeyDialog,
)

/** The keys of the user. Whoever only views the product as this user makes and ends none. */
export function OwnApiKeys() {
  const { viewedUntil } = useSignedInUser()
  // When one was used last is told by no event.
  const list = trpc.apiKeys.list.useQuery({}, { refetchOnMount: 'always' })
  const [isMaking, setMaking] = useState(false)
  const ending = useEndApiKey(undefined)
  const mayChange = viewedUntil === undefined
  const isEmpty = list.data?.length === 0
  return (
    <>
      <Panel
        title="Your keys"
        description={
          <>
            {!isEmpty && 'The last use is noted every five minutes. '}
            <TextLink inherit to="/api-docs">
              What programs can call
            </TextLink>
          </>
        }
        actions={
          // Also before the first key, so that the focus finds it again after that was made.
          <>
            <RecordsDownload rows={list.data} columns={CSV_COLUMNS} fileName="api-keys.csv" />
            {mayChange && (
              <PanelButton icon={IconPlus} onClick={() => setMaking(true)}>
                Make a key
              </PanelButton>
            )}
          </>
        }
        isFlush
      >
        {list.isError && !list.data ? (
          <LoadError isCompact title="Your keys could not be loaded" query={list} />
        ) : isEmpty ? (
          <EmptyState isCompact icon={IconKey} title="No keys">
            Make one for each program. Each can be ended without touching the others, or your
            password.
          </EmptyState>
        ) : (
          <ApiKeyTable keys={list.data} onEnd={mayChange ? ending.question.open : undefined} />
        )}
      </Panel>
      <MakeApiKeyDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <EndApiKeyDialog {...ending} />
    </>
  )
}

const CSV_COLUMNS = {
  name: ({ name }: ApiKey) => name,
  'ends in': ({ tokenEnd }: ApiKey) => tokenEnd,
  allows: ({ scopes }: ApiKey) => scopes.join(', '),
  only: ({ connection, retailer }: ApiKey) => (connection ?? retailer)?.name ?? null,
  networks: ({ networks }: ApiKey) => networks.join(', '),
  created: ({ createdAt }: ApiKey) => createdAt,
  expires: ({ expiresAt }: ApiKey) => expiresAt,
  'last used': ({ lastUsedAt }: ApiKey) => lastUsedAt,
  program: ({ program }: ApiKey) => program,
  address: ({ address }: ApiKey) => address,
}
