/* oxlint-disable react/no-array-index-key -- cells and items are identified by their position: names of columns, and keys that are cut, may repeat */
import { VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'

import type { ChangeKind } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import type { ChangedItem } from '../../../shared/schemas/comparison'
import { ItemLink } from '../../components/layout/item-link'
import { useClientWidth } from '../../lib/use-client-width'
import { CHANGE_WORDS } from './change-words'
import { AfterCell, BeforeCell } from './changed-cells'

import classes from './changed-items.module.css'

/** Narrower, an item stands above its cells. */
const MIN_WIDE_PX = 620
/** Of a new or gone item, which is told in two or three lines. */
const NARROW_CELLS = 4

interface ItemTableProps {
  label: string
  keyColumn: string
  items: ChangedItem[]
  /** What has changed of all of them; without it each item says so itself. */
  kind?: ChangeKind | undefined
  connectionId: number
}

/** Items that two files differ in: the cells that differ, before and after. */
export function ItemTable({ label, keyColumn, items, kind, connectionId }: ItemTableProps) {
  const frame = useRef<HTMLDivElement>(null)
  const widthPx = useClientWidth(frame)
  const isWide = widthPx >= MIN_WIDE_PX
  return (
    <div ref={frame}>
      {/* Measured before the first paint; until then nothing is rendered. */}
      {widthPx > 0 && (
        <table className={classes.table} aria-label={label} data-wide={isWide || undefined}>
          <thead>
            <tr>
              {isWide && <th scope="col">{keyColumn || 'SKU'}</th>}
              {kind === 'added' || kind === 'removed' ? (
                <th scope="col" colSpan={3}>
                  {kind === 'added' ? 'In the new file' : 'In the file before'}
                </th>
              ) : (
                <>
                  <th scope="col">Column</th>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                </>
              )}
            </tr>
          </thead>
          {items.map((item, index) => (
            <ItemRows
              key={`${index} ${item.key}`}
              item={item}
              isWide={isWide}
              tellsKinds={kind === undefined}
              connectionId={connectionId}
            />
          ))}
        </table>
      )}
    </div>
  )
}

interface ItemRowsProps {
  item: ChangedItem
  isWide: boolean
  tellsKinds: boolean
  connectionId: number
}

function ItemRows({ item, isWide, tellsKinds, connectionId }: ItemRowsProps) {
  const { key, cells, kinds, moreCells } = item
  const isWhole = kinds[0] === 'added' || kinds[0] === 'removed'
  const rows = isWhole
    ? [<WholeItem key="whole" item={item} maxCells={isWide ? cells.length : NARROW_CELLS} />]
    : cells.map((cell, index) => <CellRow key={`${index} ${cell.column}`} {...cell} />)
  if (moreCells > 0 && !isWhole) {
    rows.push(
      <td key="more" colSpan={3} className={classes.note}>
        {`and ${formatCountOf(moreCells, 'more cell')}`}
      </td>,
    )
  }
  const head = (
    <>
      <span dir="auto" className={classes.key}>
        <ItemLink owner={{ connectionId }} sku={key}>
          {key}
        </ItemLink>
      </span>
      {tellsKinds && kinds.length > 0 && (
        <span className={classes.kinds}>
          {kinds.map((one) => (
            <span key={one} className={classes.kind}>
              {CHANGE_WORDS[one].word}
            </span>
          ))}
        </span>
      )}
      {item.same.length > 0 && (
        <span dir="auto" className={classes.same}>
          {item.same.map(({ text }) => text).join(' · ')}
        </span>
      )}
    </>
  )
  return (
    <tbody>
      {!isWide && (
        <tr>
          <th scope="rowgroup" colSpan={3}>
            {head}
          </th>
        </tr>
      )}
      {rows.map((row, index) => (
        <tr key={row.key}>
          {isWide && index === 0 && (
            <th scope="rowgroup" rowSpan={rows.length}>
              {head}
            </th>
          )}
          {row}
        </tr>
      ))}
    </tbody>
  )
}

function CellRow({ column, ...cell }: ChangedItem['cells'][number]) {
  return (
    <>
      <td dir="auto" className={classes.column}>
        {column || 'Without a name'}
      </td>
      <td>
        <BeforeCell {...cell} />
      </td>
      <td>
        <AfterCell {...cell} />
      </td>
    </>
  )
}

/** All cells of an item that is new or gone. */
function WholeItem({ item, maxCells }: { item: ChangedItem; maxCells: number }) {
  const { cells, kinds } = item
  const moreCells = item.moreCells + Math.max(0, cells.length - maxCells)
  return (
    <td colSpan={3}>
      <VisuallyHidden>{kinds[0] === 'added' ? 'New:' : 'Gone:'}</VisuallyHidden>
      <dl className={classes.whole}>
        {cells.slice(0, maxCells).map(({ column, before, after }, index) => (
          <div key={`${index} ${column}`}>
            <dt dir="auto">{column || 'Without a name'}</dt>
            <dd dir="auto">{after ?? before}</dd>
          </div>
        ))}
        {moreCells > 0 && (
          <div>
            <dt>{`and ${formatCountOf(moreCells, 'more cell')}`}</dt>
            <dd />
          </div>
        )}
      </dl>
    </td>
  )
}
