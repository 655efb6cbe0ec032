import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

import { FullPageMessage } from '../components/full-page-message'

/** What is left when a page breaks, or when its code cannot be loaded. */
export function CrashPage() {
  return (
    <main>
      <FullPageMessage
        emblem={<IconAlertTriangle size={24} stroke={1.5} />}
        title="This page could not be shown"
        actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        It may be that the product was updated or that the connection to the server was lost.
      </FullPageMessage>
    </main>
  )
}
