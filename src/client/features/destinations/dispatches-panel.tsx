import { Button, NativeSelect } from '@mantine/core'
import { IconFilterOff, IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { PAGE_SIZES } from '../../../shared/constants'
import type { DispatchStatus } from '../../../shared/destinations'
import type { Destination } from '../../../shared/schemas/destination'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { ListFooter, needsFooter } from '../../components/table/list-footer'
import { toExportHref } from '../../lib/export-href'
import { pageRequest, type ListView } from '../../lib/list-view'
import { DISPATCH_WORDS } from './destination-words'
import { DispatchTable } from './dispatch-table'
import { useDestinationCalls, type SentFile } from './sent-file'

import classes from './dispatches.module.css'

interface DispatchesPanelProps {
  file: SentFile
  destinations: Destination[]
}

/** What was sent to a file's destinations, also those that are gone, newest first, and what became of it. */
export function DispatchesPanel({ file, destinations }: DispatchesPanelProps) {
  const [view, setView] = useState<ListView>({ size: PAGE_SIZES[0] })
  const [chosen, setChosen] = useState<number>()
  const [status, setStatus] = useState<DispatchStatus>()
  // One that was deleted cannot be chosen any more.
  const destinationId = destinations.find((one) => one.id === chosen)?.id
  const { known, of, path } = useDestinationCalls(file)
  const list = useQuery({
    ...known.listDispatches.queryOptions({
      ...of,
      destinationId,
      status,
      ...pageRequest(view, ['createdAt']),
    }),
    placeholderData: keepPreviousData,
  })
  const page = list.data
  const isFiltered = destinationId !== undefined || status !== undefined
  const toFirstPage = () => setView({ ...view, page: undefined })
  return (
    <Panel
      isFlush
      title="Deliveries"
      description="Of the last 90 days, newest first"
      actions={
        page &&
        (page.totalCount > 0 || isFiltered) && (
          <>
            {destinations.length > 1 && (
              <NativeSelect
                size="xs"
                className={classes.filter}
                aria-label="Destination"
                data={[
                  { value: '', label: 'All destinations' },
                  ...destinations.map((one) => ({ value: String(one.id), label: one.name })),
                ]}
                value={destinationId === undefined ? '' : String(destinationId)}
                onChange={(event) => {
                  setChosen(Number(event.currentTarget.value) || undefined)
                  toFirstPage()
                }}
              />
            )}
            <NativeSelect
              size="xs"
              className={classes.filter}
              aria-label="Result"
              data={[{ value: '', label: 'All results' }, ...STATUS_OPTIONS]}
              value={status ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget
                setStatus(STATUS_OPTIONS.find((one) => one.value === value)?.value)
                toFirstPage()
              }}
            />
            <DownloadLink
              isCompact
              variant="default"
              href={toExportHref(`/api/${path}/dispatches.csv`, { destinationId, status })}
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
      ) : page?.matchCount === 0 ? (
        isFiltered ? (
          <EmptyState
            isCompact
            icon={IconFilterOff}
            title="No such delivery"
            action={
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  setChosen(undefined)
                  setStatus(undefined)
                  toFirstPage()
                }}
              >
                Show all
              </Button>
            }
          >
            None of the last 90 days is like this.
          </EmptyState>
        ) : (
          <EmptyState isCompact icon={IconHistory} title="Nothing was sent yet">
            Each file that is sent is listed here, with what the other side said.
          </EmptyState>
        )
      ) : (
        <DispatchTable dispatches={page?.rows} />
      )}
    </Panel>
  )
}

const STATUSES: DispatchStatus[] = ['sent', 'failed', 'waiting', 'skipped']
const STATUS_OPTIONS = STATUSES.map((value) => ({ value, label: DISPATCH_WORDS[value] }))
