import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

import { FullPageMessage } from '../components/full-page-message'

/** Shown when rendering a page throws, or when its code cannot be loaded. */
export function CrashPage() {
  return (
    <main>
      <FullPageMessage
        emblem={<IconAlertTriangle size={24} stroke={1.5} />}
        title="This page could not be shown"
        actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        The application may have been updated, or the connection to the server was lost.
      </FullPageMessage>
    </main>
  )
}
