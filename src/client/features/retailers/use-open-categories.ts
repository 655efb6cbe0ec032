import { useState } from 'react'

import type { CategoryNode } from '../../../shared/schemas/category'
import type { ChosenPlaces } from './category-nodes'

/** With more chosen categories, opening all of their ancestors would open most of the tree. */
const MAX_OPENED_CHOICES = 20

export interface OpenCategories {
  isOpen: (node: CategoryNode) => boolean
  setOpen: (place: number, isOpen: boolean) => void
}

/** The open categories: initially all of a small tree, or the chosen ones' ancestors. */
export function useOpenCategories(isLarge: boolean, chosen: ChosenPlaces): OpenCategories {
  const [initial] = useState(chosen)
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isInitiallyOpen = (node: CategoryNode) =>
    !isLarge || (initial.count <= MAX_OPENED_CHOICES && initial.isMixed(node))
  return {
    isOpen: (node) => changed.get(node.place) ?? isInitiallyOpen(node),
    setOpen: (place, isOpen) => setChanged((before) => new Map(before).set(place, isOpen)),
  }
}
