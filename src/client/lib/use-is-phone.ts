import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone, from the first render on; style sheets have the same limit. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 30em)', false, { getInitialValueInEffect: false })
}
