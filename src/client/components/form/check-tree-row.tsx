import { CheckboxIndicator, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'

import { formatCount, pluralize } from '../../../shared/format'

import classes from './check-tree.module.css'

interface CheckTreeItem {
  kind: 'item'
  id: number
  label: string
  /** Shown at the end of the row. */
  count: number
  /** 1-based depth; 1 is the top level. */
  level: number
  /** 1-based position among its siblings. */
  position: number
  siblingCount: number
  check: 'on' | 'off' | 'mixed' | 'covered'
  /** Shown after the label; says why a `covered` item cannot be toggled. */
  note?: string | undefined
  /** undefined for an item without children. */
  isOpen: boolean | undefined
}

/** Placeholder for the rows of a level that are not loaded yet. */
interface CheckTreeRest {
  kind: 'rest'
  id: string
  label: string
  level: number
  position: number
  siblingCount: number
  /** true: the rows are loaded when it is pressed; false: as soon as it is rendered. */
  hasFailed: boolean
}

export type CheckTreeRow = CheckTreeItem | CheckTreeRest

interface TreeRowProps {
  domId: string
  row: CheckTreeRow
  unit: string
  offsetPx: number
  isActive: boolean
  /** Whether its check cannot be changed. */
  isFixed: boolean
  onPress: () => void
  onAct: () => void
  onOpen: (id: number, isOpen: boolean) => void
  onReach: () => void
}

export function TreeRow(props: TreeRowProps) {
  const { domId, row, offsetPx, isActive, isFixed } = props
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles keys
    <div
      id={domId}
      role="treeitem"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the tree manages focus
      tabIndex={-1}
      className={classes.row}
      style={{ transform: `translateY(${offsetPx}px)`, paddingLeft: 8 + (row.level - 1) * 22 }}
      data-active={isActive || undefined}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblingCount}
      {...(row.kind === 'item' ? itemState(row, isFixed) : { 'data-rest': true })}
      onMouseDown={(event) => {
        // Keeps the focus on the tree: a focused row would lose it when scrolled away.
        event.preventDefault()
        props.onPress()
      }}
      onClick={props.onAct}
    >
      {row.kind === 'item' ? (
        <ItemCells row={row} unit={props.unit} isFixed={isFixed} onOpen={props.onOpen} />
      ) : (
        <RestCells key={row.position} row={row} onReach={props.onReach} />
      )}
    </div>
  )
}

function itemState({ check, isOpen }: CheckTreeItem, isFixed: boolean) {
  const isCovered = check === 'covered'
  return {
    'data-covered': isCovered || undefined,
    'aria-checked': check === 'mixed' ? ('mixed' as const) : check !== 'off',
    'aria-disabled': isCovered || isFixed || undefined,
    'aria-expanded': isOpen,
  }
}

function ItemCells({
  row,
  unit,
  isFixed,
  onOpen,
}: Pick<TreeRowProps, 'unit' | 'isFixed' | 'onOpen'> & { row: CheckTreeItem }) {
  const isCovered = row.check === 'covered'
  function open(event: MouseEvent) {
    event.stopPropagation()
    onOpen(row.id, !row.isOpen)
  }
  return (
    <>
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
        indeterminate={row.check === 'mixed'}
        disabled={isCovered || isFixed}
      />
      <span dir="auto" className={classes.label} title={row.label}>
        {row.label}
      </span>
      {row.note && <span className={classes.note}>{row.note}</span>}
      <span className={classes.count}>
        {formatCount(row.count)}
        <VisuallyHidden> {pluralize(row.count, unit)}</VisuallyHidden>
      </span>
    </>
  )
}

/** Requests the missing rows once mounted, unless the last attempt failed. */
function RestCells({ row, onReach }: { row: CheckTreeRest; onReach: () => void }): ReactNode {
  const reach = useRef(onReach)
  useEffect(() => {
    reach.current = onReach
  })
  useEffect(() => {
    if (!row.hasFailed) reach.current()
  }, [row.hasFailed])
  return (
    <>
      <span className={classes.chevron} />
      <span className={classes.note}>{row.label}</span>
    </>
  )
}
