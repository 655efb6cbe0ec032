import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { RESTORE_PROGRESS_PATH } from '../../../shared/constants'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { trpc } from '../../trpc'

import classes from './restore-guide.module.css'

const NOT_FOUND = 404
const LOOK_EVERY_MS = 1_000

/** How far the restore is, also while nothing of the product answers but that; leads to the sign-in afterwards. */
export function RestoreSteps() {
  const state = trpc.restores.state.useQuery(undefined, {
    refetchInterval: LOOK_EVERY_MS,
    retry: false,
  })
  const isStopped = state.isError
  const placing = useQuery({
    queryKey: ['restore-progress'],
    queryFn: readPlacing,
    enabled: isStopped,
    refetchInterval: LOOK_EVERY_MS,
    retry: false,
  })
  const step = isStopped ? placing.data : state.data?.detail
  return (
    <section className={classes.guide} aria-label="Restore">
      <Text fw={550}>{state.data ? `Restoring ${state.data.backup}` : 'Restoring a backup'}</Text>
      <ProgressBar label="Restoring the backup" share={null} />
      <output>{step ?? (isStopped ? 'The product restarts' : 'Beginning')}</output>
      <Text c="dimmed" fz="sm">
        This goes on if you close the page. You will be asked to sign in again.
      </Text>
    </section>
  )
}

/** What is done while the data are replaced; leads to the sign-in once the product is there again. */
async function readPlacing(): Promise<string | null> {
  const response = await fetch(RESTORE_PROGRESS_PATH)
  if (response.status === NOT_FOUND) window.location.assign('/auth')
  if (!response.ok) return null
  return ((await response.json()) as { step: string }).step
}
