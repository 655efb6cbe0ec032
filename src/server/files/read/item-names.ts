import { normalizeName } from './normalize-name'

const NAMES = new Set(
  'name title productname producttitle itemname articlename description bezeichnung artikelbezeichnung nom titre nombre titulo nome naam nazwa nazev namn navn'.split(
    ' ',
  ),
)

/** Whether a column is likely to have the names of items. */
export const isItemName = (column: string): boolean => NAMES.has(normalizeName(column))
