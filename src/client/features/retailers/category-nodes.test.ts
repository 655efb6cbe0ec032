import { describe, expect, it } from 'vitest'

import { answerCategories } from '../../testing/category-answers'
import {
  listLines,
  pathOf,
  toChosenPlaces,
  toggleCategory,
  toKnownTree,
  type Places,
} from './category-nodes'

const { file } = answerCategories(
  [
    {
      label: 'Clothing',
      rows: 0,
      children: [
        { label: 'Jackets', rows: 0, children: [{ label: 'Rain', rows: 2 }] },
        { label: 'Shirts', rows: 3 },
      ],
    },
    { label: 'Tents', rows: 4 },
  ],
  9,
)
const tree = toKnownTree(file.nodes)
const node = (label: string) => file.nodes.find((known) => known.label === label)!
const placesOf = (...labels: string[]): Places =>
  new Map(labels.map((label) => [label, node(label).place]))

describe('toggleCategory and toChosenPlaces', () => {
  it('removes chosen subcategories, and keeps categories that are not in the file', () => {
    const places: Places = new Map([...placesOf('Rain', 'Tents'), ['Gone', null]])
    const chosen = ['Rain', 'Tents', 'Gone']
    expect(toggleCategory(chosen, places, node('Clothing'), 'Clothing')).toEqual([
      'Tents',
      'Gone',
      'Clothing',
    ])
  })

  it('removes a chosen category, however it was written', () => {
    const places: Places = new Map([['clothing>SHIRTS', node('Shirts').place]])
    const path = pathOf(tree, node('Shirts'))
    expect(path).toBe('Clothing > Shirts')
    expect(toggleCategory(['clothing>SHIRTS'], places, node('Shirts'), path)).toEqual([])
  })

  it('marks only the ancestors of chosen categories as mixed', () => {
    const chosen = toChosenPlaces(['Rain'], placesOf('Rain'))
    expect(file.nodes.filter(chosen.isMixed).map(({ label }) => label)).toEqual([
      'Clothing',
      'Jackets',
    ])
  })
})

describe('listLines', () => {
  const linesOf = (known: typeof tree, open: string[], chosen: string[] = []) =>
    listLines(known, file.topCount, {
      chosen: toChosenPlaces(chosen, placesOf(...chosen)),
      isOpen: ({ label }) => open.includes(label),
      hasRest: true,
    }).map((line) =>
      line.kind === 'category'
        ? [line.node.label, ...(line.cover ? [`by ${line.cover.label}`] : [])].join(' ')
        : `${line.known} of ${line.siblingCount} on level ${line.level}`,
    )

  it('lists the categories whose ancestors are all open', () => {
    expect(linesOf(tree, ['Jackets'])).toEqual(['Clothing', 'Tents'])
    expect(linesOf(tree, ['Clothing'])).toEqual(['Clothing', 'Jackets', 'Shirts', 'Tents'])
  })

  it('names the chosen category that covers a line', () => {
    expect(linesOf(tree, ['Clothing', 'Jackets'], ['Clothing'])).toEqual([
      'Clothing',
      'Jackets by Clothing',
      'Rain by Clothing',
      'Shirts by Clothing',
      'Tents',
    ])
  })

  it('adds a placeholder line to each level that is not fully loaded', () => {
    const top = toKnownTree([node('Clothing')])
    expect(linesOf(top, ['Clothing'])).toEqual([
      'Clothing',
      '0 of null on level 2',
      '1 of 2 on level 1',
    ])
  })
})
