import { IconDeviceDesktop, IconLogout } from '@tabler/icons-react'

import type { Session } from '../../../shared/schemas/session'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { RecordsDownload } from '../../components/layout/records-download'
import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'
import { SessionTable } from './session-table'
import { useSessionActions } from './use-session-actions'

/** Where the user is signed in. Whoever only views the product as this user ends nothing. */
export function OwnSessions() {
  const { viewedUntil } = useSignedInUser()
  // When one was used last is told by no event.
  const list = trpc.sessions.list.useQuery({}, { refetchOnMount: 'always' })
  const actions = useSessionActions(undefined)
  const mayEnd = viewedUntil === undefined
  const others = list.data?.filter(({ isPresent }) => !isPresent) ?? []
  return (
    <>
      <Panel
        title="Sessions"
        description="The last use is noted every five minutes."
        actions={
          <>
            <RecordsDownload rows={list.data} columns={CSV_COLUMNS} fileName="sessions.csv" />
            {mayEnd && others.length > 0 && (
              <PanelButton icon={IconLogout} onClick={actions.askAll}>
                Sign out everywhere else
              </PanelButton>
            )}
          </>
        }
        isFlush
      >
        {list.isError && !list.data ? (
          <LoadError isCompact title="Your sessions could not be loaded" query={list} />
        ) : (
          <SessionTable
            sessions={list.data}
            ending={mayEnd ? { endingId: actions.endingId, onEnd: actions.end } : undefined}
          />
        )}
        {mayEnd && list.data && others.length === 0 && (
          <EmptyState isCompact icon={IconDeviceDesktop} title="You are signed in here only">
            Other browsers and programs are listed as soon as you sign in there.
          </EmptyState>
        )}
      </Panel>
      <ConfirmDialog
        isOpen={actions.isAskingAll}
        onClose={actions.dismissAll}
        title="Sign out everywhere else"
        confirmLabel="Sign out"
        isPending={actions.isEndingAll}
        onConfirm={actions.endAll}
      >
        All your other sessions end at once. This one goes on.
      </ConfirmDialog>
    </>
  )
}

const CSV_COLUMNS = {
  program: ({ program }: Session) => program,
  address: ({ address }: Session) => address,
  since: ({ since }: Session) => since,
  'last used': ({ lastUsedAt }: Session) => lastUsedAt,
  'this one': ({ isPresent }: Session) => (isPresent ? 'yes' : 'no'),
}
