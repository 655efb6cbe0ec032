import { IconAlertTriangle } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { FullPageMessage } from '../components/feedback/full-page-message'
import { PendingButton } from '../components/feedback/pending-button'
import { UnreachableError } from '../lib/error-message'
import { isServerReachable, whenReachable } from '../lib/load-code'
import { PageLandmark } from '../session/page-landmark'

const OUTDATED = 'The application may have been updated, or the connection to the server was lost.'

/**
 * Shown when rendering a page throws, or when its code cannot be loaded. Code that could not be
 * loaded because the server did not answer is loaded by itself once it does.
 */
export function CrashPage({ error }: { error: unknown }) {
  const isLost = error instanceof UnreachableError
  const [isTrying, setTrying] = useState(false)
  const router = useRouter()
  useEffect(() => {
    // Another error is another attempt that has failed.
    if (!(error instanceof UnreachableError)) return undefined
    return whenReachable(() => void router.invalidate())
  }, [error, router])
  async function tryAgain() {
    setTrying(true)
    const isUp = await isServerReachable()
    if (isUp && !isLost) return window.location.reload()
    if (isUp) await router.invalidate()
    setTrying(false)
  }
  return (
    <PageLandmark>
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
    </PageLandmark>
  )
}
