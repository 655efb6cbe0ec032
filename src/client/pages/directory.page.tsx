import { Pagination, Stack, Text } from '@mantine/core'
import { IconBuildingWarehouse, IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'

import { formatCountOf } from '../../shared/format'
import type { DirectoryCard } from '../../shared/schemas/directory'
import { lazyDialog } from '../components/dialog/lazy-dialog'
import { LoadingBlock } from '../components/feedback/loading-block'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { ListToolbar } from '../components/table/list-toolbar'
import { DirectoryCards } from '../features/directory/directory-cards'
import { HiddenRequests } from '../features/directory/hidden-requests'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { useListView } from '../lib/use-list-view'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

const RequestDialog = lazyDialog(
  async () => (await import('../features/directory/request-dialog')).RequestDialog,
)

/** The suppliers that have published a card, whom a retailer can ask for their files. */
export function DirectoryPage() {
  usePageTitle('Find suppliers')
  const [view, setView] = useListView()
  const input = { q: view.q ?? '', page: view.page ?? 1 }
  const query = trpc.directory.page.useQuery(input, { placeholderData: keepPreviousData })
  const asking = useDialogSubject<DirectoryCard>()
  const { data } = query
  return (
    <>
      <PageHeader
        title="Find suppliers"
        subtitle="Suppliers who show themselves here, and whom you can ask for their inventory"
      />
      <Stack gap="lg">
        <Panel isFlush>
          <ListToolbar
            label="Search suppliers"
            query={input.q}
            onQueryChange={(q) => setView({ q: q || undefined, page: undefined })}
          >
            {data && formatCountOf(data.matchCount, 'supplier')}
            {data && data.openCount > 0 && `, ${formatCountOf(data.openCount, 'open request')}`}
          </ListToolbar>
        </Panel>
        {query.isError && !data ? (
          <Panel>
            <LoadError title="The suppliers could not be loaded" query={query} />
          </Panel>
        ) : !data ? (
          <LoadingBlock height={220} label="Loading the suppliers" />
        ) : data.cards.length === 0 ? (
          <Panel>
            {input.q ? (
              <EmptyState icon={IconSearchOff} title="No supplier found">
                Try another word: names, categories and what they sell are searched.
              </EmptyState>
            ) : (
              <EmptyState icon={IconBuildingWarehouse} title="No suppliers yet">
                None has published a card so far.
              </EmptyState>
            )}
          </Panel>
        ) : (
          <DirectoryCards cards={data.cards} onAsk={asking.open} />
        )}
        {data && data.hiddenRequests.length > 0 && (
          <HiddenRequests requests={data.hiddenRequests} />
        )}
        {data && data.pageCount > 1 && (
          <Pagination
            total={data.pageCount}
            value={data.page}
            onChange={(page) => setView({ page: page > 1 ? page : undefined })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )}
        <Text fz="sm" c="dimmed">
          Suppliers learn of you when you ask them, and never of your other suppliers.
        </Text>
      </Stack>
      <RequestDialog isOpen={asking.isOpen} card={asking.subject} onClose={asking.close} />
    </>
  )
}
