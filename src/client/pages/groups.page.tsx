import { Button } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'

import { MAX_GROUPS } from '../../shared/constants'
import { formatCountOf } from '../../shared/format'
import type { ListedGroup } from '../../shared/schemas/group'
import { lazyDialog } from '../components/dialog/lazy-dialog'
import { LoadingBlock } from '../components/feedback/loading-block'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { GroupsTable } from '../features/retailers/groups-table'
import { showError } from '../lib/toast'
import { useDialogSubject } from '../lib/use-dialog-subject'
import { useMay } from '../session/may'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'

const GroupDialog = lazyDialog(
  async () => (await import('../features/retailers/group-dialog')).GroupDialog,
)

const DeleteGroupDialog = lazyDialog(
  async () => (await import('../features/retailers/delete-group-dialog')).DeleteGroupDialog,
)

/** A supplier's groups of retailers. */
export function GroupsPage() {
  usePageTitle('Groups')
  const query = trpc.groups.list.useQuery()
  const mayManage = useMay('manage')
  const editing = useDialogSubject<ListedGroup | null>()
  const removal = useDialogSubject<ListedGroup>()
  const remove = (group: ListedGroup) =>
    group.memberCount > 0
      ? showError(
          `${formatCountOf(group.memberCount, 'retailer')} of the group have to be moved first`,
        )
      : removal.open(group)
  const isFull = (query.data?.length ?? 0) >= MAX_GROUPS
  const add = mayManage && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      disabled={isFull}
      onClick={() => editing.open(null)}
    >
      Add group
    </Button>
  )
  return (
    <>
      <BackLink to="/supplier/retailers">Retailers</BackLink>
      <PageHeader
        title="Groups"
        subtitle="What several retailers see, how often and in which form, set in one place"
        actions={query.data?.length ? add : undefined}
      />
      <Panel isFlush={Boolean(query.data?.length)}>
        {query.isError ? (
          <LoadError title="The groups could not be loaded" query={query} />
        ) : !query.data ? (
          <LoadingBlock height={180} label="Loading the groups" />
        ) : query.data.length === 0 ? (
          <EmptyState icon={IconUsersGroup} title="No groups yet" action={add}>
            Retailers in a group have its settings, and follow when you change them. Each may still
            have some of its own.
          </EmptyState>
        ) : (
          <GroupsTable
            groups={query.data}
            onEdit={mayManage ? editing.open : undefined}
            onDelete={mayManage ? remove : undefined}
          />
        )}
      </Panel>
      <GroupDialog isOpen={editing.isOpen} group={editing.subject} onClose={editing.close} />
      <DeleteGroupDialog isOpen={removal.isOpen} group={removal.subject} onClose={removal.close} />
    </>
  )
}
