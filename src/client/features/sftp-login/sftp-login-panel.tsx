import { Group } from '@mantine/core'
import { IconKey, IconServer2, IconServerOff, IconUnlink } from '@tabler/icons-react'
import { useState } from 'react'

import type { CallArea } from '../../../shared/constants'
import type { SftpAccess } from '../../../shared/schemas/sftp-login'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { useSignedInUser } from '../../session/current-user'
import { useMay } from '../../session/may'
import { SFTP_WORDS } from './sftp-words'
import { ShownLogin } from './shown-login'
import {
  useConnectionLogin,
  useRetailerLogin,
  type SftpLoginCalls,
  type UseFor,
} from './use-sftp-login'

const AddKeysDialog = lazyDialog(async () => (await import('./add-keys-dialog')).AddKeysDialog)

/** Who may change a login, as in docs/rules.md. */
const AREAS: Record<UseFor, CallArea> = { connection: 'manage', retailer: 'addresses' }

interface SftpLoginPanelProps {
  useFor: UseFor
  /** Of the connection or the retailer. */
  id: number
  calls: SftpLoginCalls
}

/** The login by which a program puts its files. */
export function SendBySftp({ connectionId }: { connectionId: number }) {
  const calls = useConnectionLogin(connectionId)
  return <SftpLoginPanel useFor="connection" id={connectionId} calls={calls} />
}

/** The login by which a program fetches the file of its shop. */
export function FetchBySftp({ retailerId }: { retailerId: number }) {
  const calls = useRetailerLogin(retailerId)
  return <SftpLoginPanel useFor="retailer" id={retailerId} calls={calls} />
}

function SftpLoginPanel({ useFor, id, calls }: SftpLoginPanelProps) {
  const mayChange = useMay(AREAS[useFor])
  const [isRevoking, setRevoking] = useState(false)
  const { title, description, ofRevoking } = SFTP_WORDS[useFor]
  const { query, revoke } = calls
  return (
    <Panel
      title={title}
      description={description}
      actions={
        query.data?.login &&
        mayChange && (
          <PanelButton icon={IconUnlink} onClick={() => setRevoking(true)}>
            Revoke
          </PanelButton>
        )
      }
    >
      {query.isError ? (
        <LoadError isCompact title="The SFTP login could not be loaded" query={query} />
      ) : query.data === undefined ? (
        <LoadingBlock height={110} label="Loading the SFTP login" />
      ) : (
        <Content {...{ useFor, id, calls, mayChange }} access={query.data} />
      )}
      <ConfirmDialog
        isOpen={isRevoking}
        onClose={() => setRevoking(false)}
        title="Revoke the SFTP login"
        confirmLabel="Revoke"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ id }, { onSettled: () => setRevoking(false) })}
      >
        {ofRevoking}
      </ConfirmDialog>
    </Panel>
  )
}

interface ContentProps extends SftpLoginPanelProps {
  access: SftpAccess
  mayChange: boolean
}

function Content({ useFor, id, calls, access, mayChange }: ContentProps) {
  const [isAdding, setAdding] = useState(false)
  const { server, login } = access
  if (login) return <ShownLogin {...{ useFor, id, calls, server, login, mayChange }} />
  if (!server) return <NoServer />
  const { purpose, whoMakes } = SFTP_WORDS[useFor]
  return (
    <>
      <EmptyState
        isRow
        icon={IconServer2}
        title="No SFTP login yet"
        action={
          mayChange && (
            <Group gap="xs" justify="center">
              <PendingButton
                isPending={calls.create.isPending}
                onClick={() => calls.create.mutate({ id })}
              >
                Create login
              </PendingButton>
              <PanelButton icon={IconKey} onClick={() => setAdding(true)}>
                With a public key
              </PanelButton>
            </Group>
          )
        }
      >
        {purpose} {!mayChange && whoMakes}
      </EmptyState>
      <AddKeysDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        call={calls.create}
        id={id}
        title="Create a login with a public key"
        submitLabel="Create login"
      />
    </>
  )
}

/** Where the operator has not set one up: how to ask for it. */
function NoServer() {
  const { viewedUntil } = useSignedInUser()
  return (
    <EmptyState isRow icon={IconServerOff} title="SFTP is not available here">
      {viewedUntil === undefined ? (
        'It has not been set up in this installation. If you need it, ask its administrator for an SFTP server.'
      ) : (
        <>
          This installation has no SFTP server. It gets one when the setting <code>SFTP_PORT</code>{' '}
          has a port.
        </>
      )}
    </EmptyState>
  )
}
