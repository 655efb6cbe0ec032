import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

import { formatCount } from '../../../shared/format'
import { CheckTree, type CheckTreeRow } from '../../components/check-tree'
import {
  findCover,
  isLargeTree,
  listCategoriesInView,
  listOpenAtStart,
  type CategoryChoice,
  type CategoryIndex,
} from './category-index'

import classes from './visibility-fields.module.css'

interface CategoryTreeProps {
  index: CategoryIndex
  choice: CategoryChoice
  categories: string[]
  onToggle: (place: number) => void
  /** Stands under the tree, whatever was searched. */
  footer: ReactNode
}

/** The tree itself, with a search when there is much of it. */
export function CategoryTree({ index, choice, categories, onToggle, footer }: CategoryTreeProps) {
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState(() => listOpenAtStart(index, categories))
  /** A search opens everything that it found; what is closed then is closed for this search. */
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const isSearching = query.trim() !== ''
  const isOpen = (place: number) => (isSearching ? !closed.has(place) : open.has(place))
  const places = listCategoriesInView(index, { query, isOpen })
  const isLarge = isLargeTree(index)

  function search(text: string) {
    setQuery(text)
    setClosed(new Set())
  }
  function changeOpen(place: number, isNowOpen: boolean) {
    if (isSearching) setClosed((current) => withMember(current, place, !isNowOpen))
    else setOpen((current) => withMember(current, place, isNowOpen))
  }

  return (
    <div className={classes.frame}>
      {isLarge && (
        <div className={classes.search}>
          <TextInput
            type="search"
            variant="unstyled"
            aria-label="Search categories"
            placeholder={`Search ${formatCount(index.nodes.length)} categories`}
            leftSection={<IconSearch size={15} aria-hidden="true" />}
            rightSection={
              query && (
                <CloseButton size="sm" aria-label="Clear search" onClick={() => search('')} />
              )
            }
            value={query}
            onChange={(event) => search(event.currentTarget.value)}
            // In a form, Enter would save it.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
      )}
      {places.length === 0 ? (
        <p className={classes.nothing}>
          {isSearching ? `No category matches “${query.trim()}”.` : 'No row of the file has one.'}
        </p>
      ) : (
        <CheckTree
          key={query}
          label="Categories"
          unit="rows"
          rowCount={places.length}
          rowAt={(row) => describeRow(index, choice, places[row] ?? 0, isOpen)}
          onToggle={onToggle}
          onOpen={changeOpen}
        />
      )}
      <div className={classes.footer}>{footer}</div>
    </div>
  )
}

function withMember(set: ReadonlySet<number>, member: number, isIn: boolean): Set<number> {
  const next = new Set(set)
  if (isIn) next.add(member)
  else next.delete(member)
  return next
}

function describeRow(
  index: CategoryIndex,
  choice: CategoryChoice,
  place: number,
  isOpen: (place: number) => boolean,
): CheckTreeRow {
  const node = index.nodes[place]
  if (!node) throw new RangeError(`There is no category ${place}`)
  const cover = findCover(index, choice, place)
  return {
    id: place,
    label: node.label,
    count: node.rows,
    level: node.level,
    position: node.position,
    siblingCount: node.siblingCount,
    check: cover ? 'covered' : readCheck(choice, place),
    note: cover && `covered by ${cover.label}`,
    isOpen: node.end > place + 1 ? isOpen(place) : undefined,
  }
}

function readCheck({ chosen, mixed }: CategoryChoice, place: number): CheckTreeRow['check'] {
  if (chosen.has(place)) return 'on'
  return mixed.has(place) ? 'mixed' : 'off'
}
