import type { ChangeKind } from '../../../shared/constants'

/** What a kind of change is called: in a word, and over the items that have it. */
export const CHANGE_WORDS: Record<ChangeKind, { word: string; title: string }> = {
  added: { word: 'New', title: 'New items' },
  removed: { word: 'Gone', title: 'Gone items' },
  quantity: { word: 'Quantity', title: 'Quantity changed' },
  price: { word: 'Price', title: 'Price changed' },
  other: { word: 'Other cells', title: 'Other cells changed' },
}
