import { formatCount } from '../../../shared/format'
import type { CheckTreeRow } from '../../components/form/check-tree-row'
import { hasChildren, type ChosenPlaces, type TreeLine } from './category-nodes'

/** Converts a line to the row that `CheckTree` renders. */
export function toTreeRow(
  line: TreeLine,
  chosen: ChosenPlaces,
  failed: ReadonlySet<number | null>,
): CheckTreeRow {
  if (line.kind === 'rest') return toRestRow(line, failed.has(line.under))
  const { node, cover, isOpen } = line
  return {
    kind: 'item',
    id: node.place,
    label: node.label,
    count: node.rows,
    level: node.level,
    position: node.position,
    siblingCount: node.siblingCount,
    check: cover ? 'covered' : chosen.has(node) ? 'on' : chosen.isMixed(node) ? 'mixed' : 'off',
    note: cover && `covered by ${cover.label}`,
    isOpen: hasChildren(node) ? isOpen : undefined,
  }
}

function toRestRow(
  { under, level, known, siblingCount }: Extract<TreeLine, { kind: 'rest' }>,
  hasFailed: boolean,
): CheckTreeRow {
  const rest = siblingCount === null ? '' : `${formatCount(siblingCount - known)} more `
  return {
    kind: 'rest',
    id: `rest of ${under}`,
    label: hasFailed ? 'Could not be loaded. Try again' : `Loading ${rest}…`,
    level,
    position: known + 1,
    siblingCount: siblingCount ?? known + 1,
    hasFailed,
  }
}
