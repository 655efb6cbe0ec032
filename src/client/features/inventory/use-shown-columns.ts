import { useLocalStorage } from '@mantine/hooks'
import { useMemo } from 'react'

import { foldName } from '../../../shared/categories'
import type { RowSource } from './use-browsed-rows'

/** Of a file with more columns, those that are hidden are forgotten in part. */
const MAX_KEPT = 200

export interface ColumnChoice {
  columns: readonly string[]
  /** The places of those that are shown. */
  shown: readonly number[]
  /** Whether a column is always shown. */
  isFixed: (name: string) => boolean
  /** Shows all columns with this name, or none of them. */
  toggle: (name: string, isShown: boolean) => void
  showAll: () => void
}

/** Which columns of a file are shown in this browser: all that were not taken out, and always that of the SKUs. */
export function useShownColumns(
  source: RowSource,
  columns: readonly string[],
  skuColumn: string | null,
): ColumnChoice {
  const of =
    'retailerId' in source ? `retailer-${source.retailerId}` : `connection-${source.connectionId}`
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `stockbridge-hidden-columns-${of}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: readNames,
  })
  const fixed = foldName(skuColumn ?? columns[0] ?? '')
  const isFixed = (name: string) => foldName(name) === fixed
  const shown = useMemo(() => {
    const names = new Set(hidden)
    return columns.flatMap((name, place) => {
      const folded = foldName(name)
      return folded === fixed || !names.has(folded) ? [place] : []
    })
  }, [columns, hidden, fixed])
  return {
    columns,
    shown,
    isFixed,
    toggle(name, isShown) {
      const others = hidden.filter((other) => other !== foldName(name))
      setHidden(isShown ? others : [...others, foldName(name)].slice(-MAX_KEPT))
    },
    showAll: () => setHidden([]),
  }
}

/** What the browser has kept, which anything may have changed. */
function readNames(text: string | undefined): string[] {
  try {
    const names: unknown = JSON.parse(text ?? '')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
