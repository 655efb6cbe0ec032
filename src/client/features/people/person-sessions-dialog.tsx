import { Group, Modal, Stack } from '@mantine/core'
import { IconLogout, IconPlugConnectedX } from '@tabler/icons-react'

import type { Person } from '../../../shared/schemas/person'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { RefreshButton } from '../../components/feedback/refresh-button'
import { PanelButton } from '../../components/layout/panel-button'
import { displayNameOf } from '../../lib/display-name'
import { trpc } from '../../trpc'
import { SessionTable } from './session-table'
import { useSessionActions } from './use-session-actions'

interface PersonSessionsDialogProps {
  isOpen: boolean
  person: Person | null
  onClose: () => void
}

/** Where a person is signed in, for administrators. */
export function PersonSessionsDialog({ isOpen, person, onClose }: PersonSessionsDialogProps) {
  const actions = useSessionActions(person?.id)
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={onClose}
        size={820}
        // While a question is open, Escape only closes the question.
        closeOnEscape={!actions.isAskingAll}
        title={person && <>Sessions of {<bdi>{displayNameOf(person)}</bdi>}</>}
      >
        {person && <Sessions personId={person.id} actions={actions} />}
      </Modal>
      <ConfirmDialog
        isOpen={actions.isAskingAll}
        onClose={actions.dismissAll}
        title="End all sessions"
        confirmLabel="End all"
        isPending={actions.isEndingAll}
        onConfirm={actions.endAll}
      >
        {person && (
          <>
            <bdi>{displayNameOf(person)}</bdi> is signed out everywhere at once, and can sign in
            again.
          </>
        )}
      </ConfirmDialog>
    </>
  )
}

interface SessionsProps {
  personId: number
  actions: ReturnType<typeof useSessionActions>
}

function Sessions({ personId, actions }: SessionsProps) {
  // It changes without a call of the administrator, and no event says so.
  const list = trpc.sessions.list.useQuery({ personId }, { refetchOnMount: 'always' })
  if (list.isError && !list.data) {
    return <LoadError isCompact title="The sessions could not be loaded" query={list} />
  }
  const isNowhere = list.data?.length === 0
  return (
    <Stack gap="sm">
      <Group gap="xs" justify="flex-end">
        {list.data && !isNowhere && (
          <PanelButton icon={IconLogout} onClick={actions.askAll}>
            End all
          </PanelButton>
        )}
        <RefreshButton size="xs" onRefresh={list.refetch} />
      </Group>
      {isNowhere ? (
        <EmptyState icon={IconPlugConnectedX} title="Not signed in anywhere" />
      ) : (
        <SessionTable
          sessions={list.data}
          ending={{ endingId: actions.endingId, onEnd: actions.end }}
        />
      )}
    </Stack>
  )
}
