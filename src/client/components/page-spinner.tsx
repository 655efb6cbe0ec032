import { Center, Loader } from '@mantine/core'

/** Takes the place of a page while it cannot be shown yet. */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Center mih="60vh" role="status" aria-label={label}>
      <Loader size="sm" aria-hidden="true" />
    </Center>
  )
}
