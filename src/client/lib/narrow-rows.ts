import { useMediaQuery } from '@mantine/hooks'
import { createContext } from 'react'

/**
 * Whether the buttons of rows are one menu. A list decides it for all of its rows: if each listened to the window, React
 * would take the changes of 50 rows for an endless loop.
 */
export const NarrowRowsContext = createContext(false)

export function useHasNarrowRows(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
}
