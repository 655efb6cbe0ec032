import { IconAlertTriangle } from '@tabler/icons-react'
import { useContext, useState } from 'react'

import { FullPageMessage } from '../components/full-page-message'
import { PendingButton } from '../components/pending-button'
import { isServerReachable, UnreachableError } from '../lib/load-code'
import { SignedInUserContext } from '../session/current-user'

const OUTDATED = 'The application may have been updated, or the connection to the server was lost.'

/** Shown when rendering a page throws, or when its code cannot be loaded. */
export function CrashPage({ error }: { error: unknown }) {
  const isLost = error instanceof UnreachableError
  const [isTrying, setTrying] = useState(false)
  // The shell has the page's landmark already.
  const Landmark = useContext(SignedInUserContext) ? 'div' : 'main'
  async function tryAgain() {
    setTrying(true)
    if (await isServerReachable()) window.location.reload()
    else setTrying(false)
  }
  return (
    <Landmark>
      <FullPageMessage
        emblem={<IconAlertTriangle size={24} stroke={1.5} />}
        title="This page could not be shown"
        actions={
          <PendingButton isPending={isTrying} onClick={() => void tryAgain()}>
            {isLost ? 'Try Again' : 'Reload the page'}
          </PendingButton>
        }
      >
        <span role="alert">{isLost ? error.message : OUTDATED}</span>
      </FullPageMessage>
    </Landmark>
  )
}
