import { IconChevronRight } from '@tabler/icons-react'

import { type ChangeKind } from '../../../shared/constants'
import { formatCount, formatCountOf } from '../../../shared/format'
import {
  type ChangeSection,
  type Comparison as Counts,
  MAX_LISTED_ITEMS,
} from '../../../shared/schemas/comparison'
import { PanelButton } from '../../components/layout/panel-button'
import { useIsPhone } from '../../lib/use-is-phone'
import { CHANGE_WORDS } from './change-words'
import { ItemTable } from './item-table'

import classes from './changed-items.module.css'

const SHOWN_ON_PHONES = 4

interface ChangeSectionsProps {
  connectionId: number
  difference: Counts
  sections: ChangeSection[]
  /** Called to show all items with one kind of change. */
  onShowAll: (kind: ChangeKind) => void
}

/** One section for each kind of change that there is: how many items, and the first of them. */
export function ChangeSections(props: ChangeSectionsProps) {
  const { connectionId, difference, sections, onShowAll } = props
  const shown = useIsPhone() ? SHOWN_ON_PHONES : MAX_LISTED_ITEMS
  return sections
    .filter(({ count }) => count > 0)
    .map(({ kind, count, items }) => {
      const { title } = CHANGE_WORDS[kind]
      return (
        <section key={kind} className={classes.section} aria-label={title}>
          <div className={classes.sectionHead}>
            <h3>
              {title} <span data-figures>{formatCount(count)}</span>
            </h3>
            {kind === 'quantity' && <p>{describeQuantities(difference)}</p>}
            {count > shown && (
              <PanelButton icon={IconChevronRight} onClick={() => onShowAll(kind)}>
                {`Show all ${formatCount(count)}`}
              </PanelButton>
            )}
          </div>
          <ItemTable
            label={title}
            connectionId={connectionId}
            keyColumn={difference.keyColumn}
            items={items.slice(0, shown)}
            kind={kind}
          />
        </section>
      )
    })
}

/** `12 up, 63 down, of which 5 items to 0`. */
function describeQuantities({ quantityUp, quantityDown, newlyZero }: Counts): string {
  const zero = newlyZero > 0 ? `, of which ${formatCountOf(newlyZero, 'item')} to 0` : ''
  return `${formatCount(quantityUp)} up, ${formatCount(quantityDown)} down${zero}`
}
