import { Stack, Text } from '@mantine/core'
import { IconLink, IconRefresh, IconUnlink } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

import type { LinkName } from '../../lib/use-new-link'
import { ConfirmDialog } from '../dialog/confirm-dialog'
import { LoadingBlock } from '../feedback/loading-block'
import { EmptyState, LoadError, type FailedQuery } from '../feedback/message-state'
import { PendingButton } from '../feedback/pending-button'
import { CopyableCode } from './copyable-code'
import { Panel } from './panel'
import { PanelButton } from './panel-button'
import { SecretLinks, type ExpiringLink } from './secret-links'

import classes from './secret-link-panel.module.css'

/** A mutation that changes the links. */
interface LinkCall {
  isPending: boolean
  mutate: (input: { id: number }, options?: { onSettled: () => void }) => void
}

interface SecretLinkPanelProps {
  /** Of what the links are for. */
  id: number
  name: LinkName
  /** Said where there is none, when whoever looks may neither create nor end one. */
  whoChanges?: string | undefined
  /** A line under the title. */
  description: string
  query: FailedQuery & { isError: boolean; data?: ExpiringLink[] | undefined }
  create: LinkCall
  revoke: LinkCall
  /** The one that has just been created; only now is it known as a whole. */
  newUrl: string | undefined
  /** What is shown of the address of a link, of whose token only the end is known. */
  toPath: (tokenEnd: string) => string
  /** What is done with it: `Read 5 minutes ago`. */
  use: 'Read' | 'Used'
  /** What one is for, and who can do what with it. */
  purpose: ReactNode
  /** What happens when it is replaced or revoked. */
  ofReplacing: ReactNode
  ofRevoking: ReactNode
  /** How it is used. */
  children?: ReactNode
}

/** An address or a link that works without signing in: create, replace, revoke. */
export function SecretLinkPanel(props: SecretLinkPanelProps) {
  const { id, name, query, create, revoke, whoChanges } = props
  const [question, setQuestion] = useState<'replace' | 'revoke' | null>(null)
  const close = () => setQuestion(null)
  const hasLinks = query.data !== undefined && query.data.length > 0
  return (
    <Panel
      title={name.one}
      description={props.description}
      actions={
        hasLinks &&
        whoChanges === undefined && (
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
      <Content {...props} />
      <ConfirmDialog
        isOpen={question === 'replace'}
        onClose={close}
        title={`Replace the ${name.one.toLowerCase()}`}
        confirmLabel="Replace"
        isPending={create.isPending}
        onConfirm={() => create.mutate({ id }, { onSettled: close })}
      >
        {props.ofReplacing}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === 'revoke'}
        onClose={close}
        title={`Revoke the ${name.one.toLowerCase()}`}
        confirmLabel="Revoke"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ id }, { onSettled: close })}
      >
        {props.ofRevoking}
      </ConfirmDialog>
    </Panel>
  )
}

function Content({ id, name, query, create, newUrl, whoChanges, ...props }: SecretLinkPanelProps) {
  const inText = name.one.toLowerCase()
  if (query.isError) {
    return <LoadError isCompact title={`The ${inText} could not be loaded`} query={query} />
  }
  if (query.data === undefined) return <LoadingBlock height={74} label={`Loading the ${inText}`} />
  if (query.data.length === 0) {
    return (
      <EmptyState
        isRow
        icon={IconLink}
        title={`No ${name.short} yet`}
        action={
          whoChanges === undefined && (
            <PendingButton isPending={create.isPending} onClick={() => create.mutate({ id })}>
              Create {name.short}
            </PendingButton>
          )
        }
      >
        {props.purpose} {whoChanges}
      </EmptyState>
    )
  }
  return (
    <Stack gap="lg">
      {newUrl && (
        <output className={classes.new}>
          <Text fw={600}>Copy the {name.short} now: it is shown only once</Text>
          <CopyableCode code={newUrl} label={`the ${inText}`} />
        </output>
      )}
      <SecretLinks label={name.several} links={query.data} toPath={props.toPath} use={props.use} />
      {props.children}
    </Stack>
  )
}
