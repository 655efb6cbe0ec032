import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'

import { useIsFixed } from '../../lib/fixed-fields'
import { TreeRow, type CheckTreeRow } from './check-tree-row'

import classes from './check-tree.module.css'

const ROW_HEIGHT_PX = 34

interface CheckTreeProps {
  label: string
  /** The rows whose ancestors are all open. */
  rowCount: number
  rowAt: (index: number) => CheckTreeRow
  /** Singular noun for the counts, for example `row`. */
  unit: string
  /** More rows are loading. */
  isBusy?: boolean
  /** Toggles the item at `index`. */
  onToggle: (index: number) => void
  onOpen: (id: number, isOpen: boolean) => void
  /** The placeholder row at `index` was rendered or pressed. */
  onReach: (index: number) => void
}

/**
 * A checkbox tree that follows the ARIA tree pattern: arrow keys move, open and close, Space
 * toggles. Rows are virtualized: only those on screen are in the document. Mantine's Tree gives such rows
 * no `aria-checked`, level or position, and a row that scrolls away takes its focus with it.
 */
export function CheckTree({ onToggle, ...rest }: CheckTreeProps) {
  const isFixed = useIsFixed()
  const props = { ...rest, onToggle: isFixed ? () => undefined : onToggle }
  const { rowCount, rowAt } = props
  const scroller = useRef<HTMLDivElement>(null)
  const baseId = useId()
  const [lastActive, setActive] = useState(0)
  const active = Math.min(lastActive, rowCount - 1)
  const virtualizer = useRows(rowCount, scroller)
  const items = virtualizer.getVirtualItems()
  const isActiveInSight = items.some(({ index }) => index === active)

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(index, rowCount - 1))
    setActive(next)
    virtualizer.scrollToIndex(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    const move = readKey(event.key, active, props, moveTo)
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    virtualizer.scrollToIndex(active)
    move()
  }

  return (
    <div
      ref={scroller}
      role="tree"
      tabIndex={0}
      className={classes.tree}
      aria-label={props.label}
      aria-multiselectable="true"
      aria-busy={props.isBusy}
      aria-activedescendant={isActiveInSight ? toDomId(baseId, rowAt(active)) : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="none" className={classes.space} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <TreeRow
            key={rowAt(index).id}
            domId={toDomId(baseId, rowAt(index))}
            row={rowAt(index)}
            unit={props.unit}
            offsetPx={start}
            isActive={index === active}
            isFixed={isFixed}
            onPress={() => {
              setActive(index)
              scroller.current?.focus({ preventScroll: true })
            }}
            onAct={() => act(index, props)}
            onOpen={props.onOpen}
            onReach={() => props.onReach(index)}
          />
        ))}
      </div>
    </div>
  )
}

function useRows(count: number, scroller: RefObject<HTMLDivElement | null>) {
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  return useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 8,
    initialRect: { width: 480, height: 320 },
  })
}

/** The action of a key on the active row; undefined when the tree does not handle the key. */
function readKey(
  key: string,
  active: number,
  props: CheckTreeProps,
  moveTo: (index: number) => void,
): (() => void) | undefined {
  const { rowCount, rowAt, onOpen } = props
  const row = rowAt(active)
  const isOpen = row.kind === 'item' ? row.isOpen : undefined
  const setOpen = (isNowOpen: boolean) => row.kind === 'item' && onOpen(row.id, isNowOpen)
  const moves: Record<string, () => void> = {
    ArrowDown: () => moveTo(active + 1),
    ArrowUp: () => moveTo(active - 1),
    PageDown: () => moveTo(active + 8),
    PageUp: () => moveTo(active - 8),
    Home: () => moveTo(0),
    End: () => moveTo(rowCount - 1),
    ArrowRight: () => (isOpen === false ? setOpen(true) : isOpen && moveTo(active + 1)),
    ArrowLeft: () => (isOpen ? setOpen(false) : moveTo(findParent(active, rowAt))),
    ' ': () => act(active, props),
    Enter: () => act(active, props),
  }
  return moves[key]
}

function findParent(index: number, rowAt: CheckTreeProps['rowAt']): number {
  const { level } = rowAt(index)
  for (let above = index - 1; above >= 0; above--) {
    if (rowAt(above).level < level) return above
  }
  return index
}

/** Activates a row: toggles an item, or loads the rest of a level. */
function act(index: number, { rowAt, onToggle, onReach }: CheckTreeProps) {
  const row = rowAt(index)
  if (row.kind === 'rest') onReach(index)
  else if (row.check !== 'covered') onToggle(index)
}

const toDomId = (baseId: string, { id }: CheckTreeRow) => `${baseId}-${id}`.replaceAll(' ', '-')
