import { CheckboxIndicator, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'

import { formatCount } from '../../shared/format'

import classes from './check-tree.module.css'

const ROW_HEIGHT_PX = 34

export interface CheckTreeRow {
  id: number
  label: string
  /** Shown at the end of the row. */
  count: number
  /** 1 for the top. */
  level: number
  /** Its place among its siblings, from 1. */
  position: number
  siblingCount: number
  check: 'on' | 'off' | 'mixed' | 'covered'
  /** Why it cannot be changed by itself, for a covered one. */
  note?: string | undefined
  /** undefined: there is nothing below it. */
  isOpen: boolean | undefined
}

interface CheckTreeProps {
  label: string
  /** The rows in sight of the reader: those whose ancestors are all open. */
  rowCount: number
  rowAt: (index: number) => CheckTreeRow
  /** The unit of the counts: `rows`. */
  unit: string
  onToggle: (id: number) => void
  onOpen: (id: number, isOpen: boolean) => void
}

/**
 * A tree of checkboxes by the keys of the ARIA pattern: arrows move and open, Space checks. However
 * many rows it has, only those on the screen are in the document.
 */
export function CheckTree(props: CheckTreeProps) {
  const { rowCount, rowAt } = props
  const scroller = useRef<HTMLDivElement>(null)
  const baseId = useId()
  const [lastActive, setActive] = useState(0)
  const active = Math.min(lastActive, rowCount - 1)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 8,
    initialRect: { width: 480, height: 320 },
  })
  const items = virtualizer.getVirtualItems()
  const isActiveInSight = items.some(({ index }) => index === active)

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(index, rowCount - 1))
    setActive(next)
    virtualizer.scrollToIndex(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    const act = readKey(event.key, active, props, moveTo)
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    virtualizer.scrollToIndex(active)
    act()
  }

  return (
    <div
      ref={scroller}
      role="tree"
      tabIndex={0}
      className={classes.tree}
      aria-label={props.label}
      aria-multiselectable="true"
      aria-activedescendant={isActiveInSight ? `${baseId}-${rowAt(active).id}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="none" className={classes.space} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <TreeRow
            key={rowAt(index).id}
            domId={`${baseId}-${rowAt(index).id}`}
            row={rowAt(index)}
            unit={props.unit}
            offsetPx={start}
            isActive={index === active}
            onPress={() => {
              setActive(index)
              scroller.current?.focus({ preventScroll: true })
            }}
            onToggle={props.onToggle}
            onOpen={props.onOpen}
          />
        ))}
      </div>
    </div>
  )
}

/** What a key does at the active row; undefined for a key that is not the tree's. */
function readKey(
  key: string,
  active: number,
  { rowCount, rowAt, onToggle, onOpen }: CheckTreeProps,
  moveTo: (index: number) => void,
): (() => void) | undefined {
  const row = rowAt(active)
  const moves: Record<string, () => void> = {
    ArrowDown: () => moveTo(active + 1),
    ArrowUp: () => moveTo(active - 1),
    PageDown: () => moveTo(active + 8),
    PageUp: () => moveTo(active - 8),
    Home: () => moveTo(0),
    End: () => moveTo(rowCount - 1),
    ArrowRight: () =>
      row.isOpen === false ? onOpen(row.id, true) : row.isOpen && moveTo(active + 1),
    ArrowLeft: () => (row.isOpen ? onOpen(row.id, false) : moveTo(findParent(active, rowAt))),
    ' ': () => toggle(row, onToggle),
    Enter: () => toggle(row, onToggle),
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

function toggle({ id, check }: CheckTreeRow, onToggle: (id: number) => void) {
  if (check !== 'covered') onToggle(id)
}

interface TreeRowProps {
  domId: string
  row: CheckTreeRow
  unit: string
  offsetPx: number
  isActive: boolean
  onPress: () => void
  onToggle: (id: number) => void
  onOpen: (id: number, isOpen: boolean) => void
}

function TreeRow({ domId, row, unit, offsetPx, isActive, ...on }: TreeRowProps) {
  const isCovered = row.check === 'covered'
  const isMixed = row.check === 'mixed'
  const count = formatCount(row.count)
  function open(event: MouseEvent) {
    event.stopPropagation()
    on.onOpen(row.id, !row.isOpen)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the keys
    <div
      id={domId}
      role="treeitem"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- reached through the tree
      tabIndex={-1}
      className={classes.row}
      style={{ transform: `translateY(${offsetPx}px)`, paddingLeft: 8 + (row.level - 1) * 22 }}
      data-active={isActive || undefined}
      data-covered={isCovered || undefined}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblingCount}
      aria-checked={isMixed ? 'mixed' : row.check !== 'off'}
      aria-disabled={isCovered || undefined}
      aria-expanded={row.isOpen}
      onMouseDown={(event) => {
        // The focus stays with the tree, because a row that is scrolled away would lose it.
        event.preventDefault()
        on.onPress()
      }}
      onClick={() => toggle(row, on.onToggle)}
    >
      {row.isOpen === undefined ? (
        <span className={classes.chevron} />
      ) : (
        <span className={classes.chevron} data-open={row.isOpen} aria-hidden="true" onClick={open}>
          <IconChevronRight size={15} stroke={2} />
        </span>
      )}
      <CheckboxIndicator
        size="xs"
        aria-hidden="true"
        checked={row.check === 'on' || isCovered}
        indeterminate={isMixed}
        disabled={isCovered}
      />
      <span className={classes.label} title={row.label}>
        {row.label}
      </span>
      {row.note && <span className={classes.note}>{row.note}</span>}
      <span className={classes.count}>
        {count}
        <VisuallyHidden> {unit}</VisuallyHidden>
      </span>
    </div>
  )
}
