import { Center, Loader } from '@mantine/core'

/** Takes the place of a page while it cannot be shown yet. */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Center component="output" mih="60vh" aria-label={label}>
      <Loader size="sm" aria-hidden="true" />
    </Center>
  )
}
