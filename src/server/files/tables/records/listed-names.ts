import { MAX_COLUMNS } from '../../read/scan/scan'
import type { ShapeNode } from './shape'
import { isBesideRecords } from './surroundings'

/** Collects the names of columns that stand in a list beside rows without names, as texts or as fields of objects. */
export interface ListedNames {
  add(node: ShapeNode, text: string): void
  /** Those of so many columns; undefined if there is no such list. */
  find(count: number): readonly string[] | undefined
}

const LISTS = new Set(['columns', 'columnnames', 'fields', 'header', 'headers', 'cols', 'names'])
/** What such a list has for people is preferred to what it has for programs. */
const FIELDS =
  'label title displayname caption header name columnname fieldname field key id'.split(' ')
const MAX_CHARACTERS = 200

/** Whether a list is called like one of names of columns. */
export const mayListNames = (name: string): boolean => LISTS.has(name.toLowerCase())

export function createListedNames(): ListedNames {
  const texts: string[] = []
  const byField = new Map<string, string[]>()
  return {
    add({ name, parent, isItem }, text) {
      if (isItem) {
        if (mayListNames(name) && isBesideRecords(parent)) push(texts, text)
        return
      }
      const field = name.toLowerCase().replaceAll('_', '')
      if (!parent?.isItem || !mayListNames(parent.name) || !FIELDS.includes(field)) return
      if (!isBesideRecords(parent.parent)) return
      const known = byField.get(field) ?? []
      byField.set(field, known)
      push(known, text)
    },
    find(count) {
      const lists = [texts, ...FIELDS.map((field) => byField.get(field) ?? [])]
      return lists.find((list) => list.length === count && list.some((text) => text !== ''))
    },
  }
}

function push(list: string[], text: string): void {
  if (list.length <= MAX_COLUMNS) list.push(text.slice(0, MAX_CHARACTERS))
}
