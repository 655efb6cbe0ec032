import { Stack, Text } from '@mantine/core'
import { IconLink, IconRefresh, IconUnlink } from '@tabler/icons-react'
import { useState } from 'react'

import { UPLOAD_LINK_OVERLAP_HOURS } from '../../../shared/constants'
import type { UploadLink } from '../../../shared/schemas/upload-link'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { CopyableCode } from '../../components/layout/copyable-code'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { SecretLinks } from '../../components/layout/secret-links'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

import classes from './received-files.module.css'

/** The link by which somebody without a login sends files to a connection: create, replace, revoke. */
export function UploadLinkPanel({ connectionId }: { connectionId: number }) {
  const list = trpc.uploadLinks.list.useQuery({ id: connectionId })
  const { create, revoke, newUrl } = useUploadLink(connectionId)
  const [question, setQuestion] = useState<'replace' | 'revoke' | null>(null)
  const close = () => setQuestion(null)
  return (
    <Panel
      title="Upload link"
      description="For a warehouse, an agency or a script that sends the file without signing in."
      actions={
        list.data !== undefined &&
        list.data.length > 0 && (
          <>
            <PanelButton icon={IconRefresh} onClick={() => setQuestion('replace')}>
              Replace
            </PanelButton>
            <PanelButton icon={IconUnlink} onClick={() => setQuestion('revoke')}>
              Revoke
            </PanelButton>
          </>
        )
      }
    >
      {list.isError ? (
        <LoadError isCompact title="The upload link could not be loaded" query={list} />
      ) : list.data === undefined ? (
        <LoadingBlock height={74} label="Loading the upload link" />
      ) : list.data.length === 0 ? (
        <EmptyState
          isCompact
          icon={IconLink}
          title="No link yet"
          action={
            <PendingButton
              isPending={create.isPending}
              onClick={() => create.mutate({ id: connectionId })}
            >
              Create link
            </PendingButton>
          }
        >
          Whoever knows the link can send files to this connection, and see what became of the last
          ten. Nothing else can be seen through it.
        </EmptyState>
      ) : (
        <Links links={list.data} newUrl={newUrl} />
      )}
      <ConfirmDialog
        isOpen={question === 'replace'}
        onClose={close}
        title="Replace the upload link"
        confirmLabel="Replace"
        isPending={create.isPending}
        onConfirm={() => create.mutate({ id: connectionId }, { onSettled: close })}
      >
        A new link is created. The present one works for another {UPLOAD_LINK_OVERLAP_HOURS} hours.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === 'revoke'}
        onClose={close}
        title="Revoke the upload link"
        confirmLabel="Revoke"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ id: connectionId }, { onSettled: close })}
      >
        Nobody can send files by this link any more. It cannot be brought back, but a new one can be
        created.
      </ConfirmDialog>
    </Panel>
  )
}

function Links({ links, newUrl }: { links: UploadLink[]; newUrl: string | undefined }) {
  return (
    <Stack gap="lg">
      {newUrl && (
        <output className={classes.new}>
          <Text fw={600}>Copy the link now: it is shown only once</Text>
          <CopyableCode code={newUrl} label="the upload link" />
        </output>
      )}
      <SecretLinks
        label="Upload links"
        links={links}
        toPath={(tokenEnd) => `/upload/…${tokenEnd}`}
        use="Used"
      />
      <Stack gap={8}>
        <p className={classes.note}>
          Opened in a browser, the link is a page to drop the file on. A script sends it with:
        </p>
        <CopyableCode
          code={`curl -T stock.xlsx ${newUrl ?? `${window.location.origin}/upload/YOUR-TOKEN`}/`}
          label="the example for curl"
        />
      </Stack>
    </Stack>
  )
}

function useUploadLink(connectionId: number) {
  const utils = trpc.useUtils()
  const info = trpc.app.info.useQuery()
  const [newPath, setNewPath] = useState<string>()
  const refresh = () => utils.uploadLinks.list.invalidate({ id: connectionId })
  const create = trpc.uploadLinks.create.useMutation({
    onSuccess: async ({ path }) => {
      await refresh()
      setNewPath(path)
    },
    onError: (error) => showFailure(error, 'The link could not be created'),
  })
  const revoke = trpc.uploadLinks.revoke.useMutation({
    onSuccess: async () => {
      setNewPath(undefined)
      await refresh()
      showSuccess('Upload link revoked')
    },
    onError: (error) => showFailure(error, 'The link could not be revoked'),
  })
  const base = info.data?.publicUrl ?? window.location.origin
  return { create, revoke, newUrl: newPath && new URL(newPath, base).href }
}
