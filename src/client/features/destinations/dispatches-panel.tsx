import { NativeSelect } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'

import { PAGE_SIZES } from '../../../shared/constants'
import type { Destination } from '../../../shared/schemas/destination'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { ListFooter, needsFooter } from '../../components/table/list-footer'
import { toExportHref } from '../../lib/export-href'
import { pageRequest, type ListView } from '../../lib/list-view'
import { trpc } from '../../trpc'
import { DispatchTable } from './dispatch-table'

interface DispatchesPanelProps {
  retailerId: number
  destinations: Destination[]
}

/** What was sent to a retailer's destinations, newest first, and what became of it. */
export function DispatchesPanel({ retailerId: id, destinations }: DispatchesPanelProps) {
  const [view, setView] = useState<ListView>({ size: PAGE_SIZES[0] })
  const [chosen, setChosen] = useState<number>()
  // One that was deleted cannot be chosen any more.
  const destinationId = destinations.find((one) => one.id === chosen)?.id
  const list = trpc.destinations.listDispatches.useQuery(
    { id, destinationId, ...pageRequest(view, ['createdAt']) },
    { placeholderData: keepPreviousData },
  )
  const page = list.data
  const isEmpty = page?.matchCount === 0
  return (
    <Panel
      isFlush
      title="Deliveries"
      description="What was sent, newest first"
      actions={
        page &&
        (page.totalCount > 0 || destinationId !== undefined) && (
          <>
            {destinations.length > 1 && (
              <NativeSelect
                size="xs"
                aria-label="Destination"
                data={[
                  { value: '', label: 'All destinations' },
                  ...destinations.map((one) => ({ value: String(one.id), label: one.name })),
                ]}
                value={destinationId === undefined ? '' : String(destinationId)}
                onChange={(event) => {
                  setChosen(Number(event.currentTarget.value) || undefined)
                  setView({ ...view, page: undefined })
                }}
              />
            )}
            <DownloadLink
              isCompact
              variant="default"
              href={toExportHref(`/api/retailers/${id}/dispatches.csv`, { destinationId })}
            >
              Export CSV
            </DownloadLink>
          </>
        )
      }
      footer={
        page &&
        needsFooter(page) && (
          <ListFooter
            page={page}
            view={view}
            onViewChange={(change) => setView({ ...view, ...change })}
          />
        )
      }
    >
      {list.isError && !page ? (
        <LoadError isCompact title="The deliveries could not be loaded" query={list} />
      ) : isEmpty ? (
        <EmptyState isCompact icon={IconHistory} title="Nothing was sent yet">
          Each file that is sent is listed here, with what the other side said.
        </EmptyState>
      ) : (
        <DispatchTable dispatches={page?.rows} />
      )}
    </Panel>
  )
}
