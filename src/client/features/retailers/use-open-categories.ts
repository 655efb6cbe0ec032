import { useState } from 'react'

import type { CategoryNode } from '../../../shared/schemas/category'
import type { ChosenPlaces } from './category-nodes'

/** The way to more than these would open half the tree. */
const MAX_WAYS = 20

export interface OpenCategories {
  isOpen: (node: CategoryNode) => boolean
  setOpen: (place: number, isOpen: boolean) => void
}

/** Which categories are open: at first all of a small tree, in a large one the ways to the chosen ones. */
export function useOpenCategories(isLarge: boolean, chosen: ChosenPlaces): OpenCategories {
  const [atFirst] = useState(chosen)
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isOpenAtFirst = (node: CategoryNode) =>
    !isLarge || (atFirst.count <= MAX_WAYS && atFirst.isMixed(node))
  return {
    isOpen: (node) => changed.get(node.place) ?? isOpenAtFirst(node),
    setOpen: (place, isOpen) => setChanged((before) => new Map(before).set(place, isOpen)),
  }
}
