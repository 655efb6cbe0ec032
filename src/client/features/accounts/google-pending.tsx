import { Button, Loader } from '@mantine/core'

import { FullPageMessage } from '../../components/feedback/full-page-message'

/** Shown in place of the page while the provider's sign-in window is open. */
export function GooglePending({ onCancel }: { onCancel: () => void }) {
  return (
    <main>
      <FullPageMessage
        emblem={<Loader size="sm" />}
        title="Continue in the sign-in window"
        actions={
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        <output>This page continues once you have signed in.</output>
      </FullPageMessage>
    </main>
  )
}
