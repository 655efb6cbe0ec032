import { Button, Checkbox, Stack, Text, Title } from '@mantine/core'
import { IconArchiveOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { OfferedBackup, RestoreProgress } from '../../../shared/schemas/setup'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { FileDrop } from '../../components/form/file-drop'
import { FailureAlert } from './failure-alert'
import { OfferedBackups } from './offered-backups'
import { RestoreSteps } from './restore-steps'
import { listBackups, sendBackup, startRestore } from './setup-calls'

interface FirstRestoreProps {
  token: string
  progress: RestoreProgress
  /** The data are being replaced: the installation does not answer. */
  isPlacing: boolean
  onStarted: () => void
  onBack: () => void
}

/** Restores a backup into an installation without an administrator. */
export function FirstRestore({ token, progress, isPlacing, onStarted, onBack }: FirstRestoreProps) {
  if (progress.state === 'running') {
    return <RestoreSteps lines={progress.lines} isPlacing={isPlacing} />
  }
  return (
    <>
      <Title order={1}>Restore a backup</Title>
      <Text c="dimmed" mt={4} mb="xl">
        The installation continues as it was when the backup was made, and you sign in with an
        account of then.
      </Text>
      <BackupForm token={token} problem={progress.problem} onStarted={onStarted} />
      <Button variant="subtle" fullWidth mt="md" onClick={onBack}>
        Create an administrator instead
      </Button>
    </>
  )
}

interface BackupFormProps {
  token: string
  /** Why the last restore has failed. */
  problem: string | null
  onStarted: () => void
}

function BackupForm({ token, problem, onStarted }: BackupFormProps) {
  const list = useQuery({
    queryKey: ['set-up', 'backups', token],
    queryFn: () => listBackups(token),
    retry: false,
  })
  const [chosenId, setChosenId] = useState<string>()
  const [isTrusted, setTrusted] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const start = useMutation({
    mutationFn: (backup: string) => startRestore(token, { backup, isTrusted }),
    onSuccess: onStarted,
  })
  function choose(id: string) {
    setChosenId(id)
    setTrusted(false)
    setAsked(false)
  }
  const chosen = list.data?.backups.find(({ id }) => id === chosenId)
  const isUnchecked = chosen !== undefined && chosen.signature !== 'valid'

  return (
    <Stack gap="md">
      {!start.isPending && (start.error ?? problem) !== null && (
        <FailureAlert
          title="Nothing was restored"
          error={start.error ?? new Error(problem ?? undefined)}
        />
      )}
      <SendBackup
        token={token}
        onSent={({ id }) => {
          void list.refetch()
          choose(id)
        }}
      />
      {list.isError && <LoadError isCompact title="The backups could not be listed" query={list} />}
      {list.isPending && <LoadingBlock height={120} label="Loading the backups" />}
      {list.data?.backups.length === 0 && (
        <EmptyState isCompact icon={IconArchiveOff} title="There is no backup yet">
          Drop a downloaded one above, or copy its folder to {list.data.place}.
        </EmptyState>
      )}
      {list.data && list.data.backups.length > 0 && (
        <OfferedBackups backups={list.data.backups} chosen={chosenId} onChoose={choose} />
      )}
      {isUnchecked && (
        <Trust
          backup={chosen}
          isTrusted={isTrusted}
          isMissing={isAsked && !isTrusted}
          onChange={setTrusted}
        />
      )}
      <PendingButton
        size="md"
        fullWidth
        isPending={start.isPending}
        disabled={!chosen}
        onClick={() => {
          if (isUnchecked && !isTrusted) setAsked(true)
          else if (chosen) start.mutate(chosen.id)
        }}
      >
        Restore this backup
      </PendingButton>
    </Stack>
  )
}

interface TrustProps {
  backup: OfferedBackup
  isTrusted: boolean
  /** It was not given, and is needed. */
  isMissing: boolean
  onChange: (isTrusted: boolean) => void
}

/** Whoever knows where a backup has been may vouch for it. */
function Trust({ backup: { signature, keyId }, isTrusted, isMissing, onChange }: TrustProps) {
  return (
    <>
      <Text fz="sm">
        {signature === 'unsigned'
          ? 'This backup is not signed: an older version made it, or its signature was removed.'
          : `This backup is signed with the key ${keyId}, which this installation does not have. Start it with that key as ENCRYPTION_KEY, or as encryption-key in its data folder, and the signature is checked; stored credentials need the key too.`}{' '}
        Whoever has changed it could have added an administrator of their own.
      </Text>
      <Checkbox
        label="Nobody else could have changed this backup: restore it without checking its signature"
        checked={isTrusted}
        error={isMissing && 'Confirm this, or choose another backup'}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </>
  )
}

interface SendBackupProps {
  token: string
  onSent: (backup: OfferedBackup) => void
}

function SendBackup({ token, onSent }: SendBackupProps) {
  const [share, setShare] = useState(0)
  const send = useMutation({
    mutationFn: (file: File) => sendBackup(token, file, setShare),
    onMutate: () => setShare(0),
    onSuccess: onSent,
  })
  const name = send.variables?.name ?? ''
  return (
    <>
      <FileDrop
        label="Send a backup"
        kinds="A downloaded backup, stockbridge-….tar"
        isDisabled={send.isPending}
        onFile={(file) => send.mutate(file)}
      />
      <output>
        {send.isPending && (
          <>
            <span>
              {share < 1 ? 'Sending' : 'Looking at'} <bdi>{name}</bdi>
            </span>
            <ProgressBar label={`Sending ${name}`} share={share} />
          </>
        )}
      </output>
      {!send.isPending && <FailureAlert title="The backup was not taken" error={send.error} />}
    </>
  )
}
