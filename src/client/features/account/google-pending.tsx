import { Button, Loader } from '@mantine/core'

import { FullPageMessage } from '../../components/full-page-message'

/** Takes the place of the page while somebody signs in in the provider's window. */
export function GooglePending({ onCancel }: { onCancel: () => void }) {
  return (
    <main>
      <FullPageMessage
        emblem={<Loader size="sm" />}
        title="Go on in the window that has opened"
        actions={
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        <output>This page follows as soon as you have signed in there.</output>
      </FullPageMessage>
    </main>
  )
}
