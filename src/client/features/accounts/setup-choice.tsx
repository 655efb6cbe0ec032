import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { lazyPart } from '../../components/feedback/lazy-part'
import { LoadError } from '../../components/feedback/message-state'
import { PageSpinner } from '../../components/feedback/page-spinner'
import { errorStatus } from '../../lib/error-message'
import { AdminForm } from './first-admin-form'
import { readProgress } from './setup-calls'

const NOT_FOUND = 404
const LOOK_EVERY_MS = 1_000

const FirstRestore = lazyPart(async () => (await import('./first-restore')).FirstRestore, {
  name: 'backups',
  height: 320,
})

interface SetupChoiceProps {
  token: string
  onDone: (done: 'created' | 'restored') => void
}

/** Asks the holder of the token for the first administrator, or for a backup; shows one that is being restored. */
export function SetupChoice({ token, onDone }: SetupChoiceProps) {
  const [wantsRestore, setWantsRestore] = useState<boolean>()
  const progress = useQuery({
    queryKey: ['set-up', 'progress', token],
    queryFn: () => readProgress(token),
    retry: false,
    // While the data are replaced, nothing answers, or with an error.
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_EVERY_MS : false),
  })
  const { data, error } = progress
  const isRestored = data?.state === 'running' && errorStatus(error) === NOT_FOUND
  useEffect(() => {
    if (isRestored) onDone('restored')
  }, [isRestored, onDone])
  if (!data) {
    return progress.isError ? (
      <LoadError title="The installation does not answer" query={progress} />
    ) : (
      <PageSpinner />
    )
  }
  const isRestore = wantsRestore ?? data.state !== 'idle'
  if (!isRestore && data.state !== 'running') {
    return (
      <AdminForm
        token={token}
        onDone={() => onDone('created')}
        onRestore={() => setWantsRestore(true)}
      />
    )
  }
  return (
    <FirstRestore
      token={token}
      progress={data}
      isPlacing={progress.isError}
      onStarted={() => void progress.refetch()}
      onBack={() => setWantsRestore(false)}
    />
  )
}
