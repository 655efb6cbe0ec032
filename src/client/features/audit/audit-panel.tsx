import { IconHistory, IconSearchOff } from '@tabler/icons-react'
import { useState } from 'react'

import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { ChangeList } from '../../components/layout/change-list'
import { Panel } from '../../components/layout/panel'
import { DataTable } from '../../components/table/data-table'
import type { AuditView } from '../../lib/audit-view'
import { trpc } from '../../trpc'
import { auditColumns } from './audit-columns'
import { toAuditFilter } from './audit-filter'
import { AuditFilters } from './audit-filters'

interface AuditPanelProps {
  view: AuditView
  isAdministrator: boolean
  onViewChange: (change: AuditView) => void
}

/** Who did what and when, newest first, with the changed fields of each entry. */
export function AuditPanel({ view, isAdministrator, onViewChange }: AuditPanelProps) {
  const [openId, setOpenId] = useState<number | null>(null)
  const list = trpc.audit.page.useInfiniteQuery(toAuditFilter(view), {
    getNextPageParam: ({ next }) => next,
    // Nothing tells of new entries: each visit reads them again.
    gcTime: 0,
  })
  const rows = list.data?.pages.flatMap((page) => page.rows)
  return (
    <Panel
      isFlush
      footer={
        list.hasNextPage && (
          <PendingButton
            variant="default"
            size="xs"
            isPending={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show older
          </PendingButton>
        )
      }
    >
      <AuditFilters view={view} isAdministrator={isAdministrator} onChange={onViewChange} />
      {list.isError && !rows ? (
        <LoadError title="The entries could not be loaded" query={list} />
      ) : rows?.length === 0 ? (
        <NoEntries isFiltered={Object.values(view).some((value) => value !== undefined)} />
      ) : (
        <DataTable
          label="Entries"
          columns={auditColumns({ openId, onOpen: setOpenId })}
          rows={rows}
          rowKey={({ id }) => id}
          renderDetail={({ id, changes }) => id === openId && <ChangeList changes={changes} />}
        />
      )}
    </Panel>
  )
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon={IconSearchOff} title="No matching entries">
      Nothing was recorded that matches all of the filters.
    </EmptyState>
  ) : (
    <EmptyState icon={IconHistory} title="No entries yet">
      Sign-ins and changes are listed here as they happen.
    </EmptyState>
  )
}
