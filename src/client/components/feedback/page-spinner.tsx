import { Center, Loader } from '@mantine/core'

/** Shown in place of a page while it loads. */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Center component="output" mih="60vh" aria-label={label}>
      <Loader size="sm" aria-hidden="true" />
    </Center>
  )
}
