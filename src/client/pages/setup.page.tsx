import { VisuallyHidden } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { EntryFrame } from '../features/accounts/entry-frame'
import { checkToken, findSetup } from '../features/accounts/setup-calls'
import { SetupChoice } from '../features/accounts/setup-choice'
import { TokenForm } from '../features/accounts/setup-token-form'
import { useSecretLink } from '../features/accounts/use-secret-link'
import { errorMessage, errorStatus } from '../lib/error-message'
import { usePageTitle } from '../session/page-title'
import { NotFoundPage } from './not-found.page'

const NOT_FOUND = 404
const FORBIDDEN = 403
/** The product takes the place of this page within a second or two. */
const LOOK_EVERY_MS = 500

/**
 * The first start: whoever has the set-up token makes the first administrator, or restores a backup. Afterwards there is
 * no such page.
 */
export function SetupPage() {
  usePageTitle('Set up')
  const found = useQuery({
    queryKey: ['set-up'],
    queryFn: () => findSetup().then(() => true),
    retry: false,
  })
  const [done, setDone] = useState<Done>()
  if (done) return <Starting done={done} />
  if (errorStatus(found.error) === NOT_FOUND) return <NotFoundPage />
  if (found.isPending) return <PageSpinner />
  return (
    <EntryFrame>
      {found.isError ? (
        <>
          <VisuallyHidden component="h1">Set up</VisuallyHidden>
          <LoadError title="The installation does not answer" query={found} />
        </>
      ) : (
        <Steps onDone={setDone} />
      )}
    </EntryFrame>
  )
}

function Steps({ onDone }: { onDone: (done: Done) => void }) {
  const [typed, setTyped] = useState<string>()
  const { token: linked, query } = useSecretLink('set-up-token', (token) =>
    checkToken(token).then(() => token),
  )
  const token = typed ?? query.data
  if (token !== undefined) return <SetupChoice token={token} onDone={onDone} />
  if (linked !== undefined && query.isPending) return <PageSpinner />
  if (query.isError && errorStatus(query.error) !== FORBIDDEN) {
    return <LoadError title="The token could not be checked" query={query} />
  }
  const problem = query.isError ? errorMessage(query.error) : undefined
  return <TokenForm initial={linked ?? ''} problem={problem} onAccepted={setTyped} />
}

type Done = 'created' | 'restored'

const TITLES = {
  created: 'Your administrator is created',
  restored: 'The backup is restored',
} as const satisfies Record<Done, string>

/** Waits until the product is there, and leads to its sign-in. */
function Starting({ done }: { done: Done }) {
  useQuery({
    queryKey: ['set-up', 'starting'],
    queryFn: async () => {
      const isThere = await findSetup().then(
        () => false,
        (error: unknown) => errorStatus(error) === NOT_FOUND,
      )
      if (isThere) window.location.replace('/auth')
      return isThere
    },
    refetchInterval: ({ state }) => (state.data ? false : LOOK_EVERY_MS),
  })
  return (
    <EntryFrame>
      <VisuallyHidden component="h1">Set up</VisuallyHidden>
      <EmptyState icon={IconCircleCheck} title={TITLES[done]}>
        The product starts, and then asks you to sign in.
      </EmptyState>
    </EntryFrame>
  )
}
