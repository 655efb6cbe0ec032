import { formatCount } from '../../../shared/format'
import type { ComparisonExample, ComparisonKind } from '../../../shared/schemas/comparison'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'

import classes from './comparison.module.css'

const KIND_WORDS: Record<ComparisonKind, string> = {
  added: 'Added',
  removed: 'Removed',
  zero: 'Now 0',
  up: 'Quantity up',
  down: 'Quantity down',
  changed: 'Changed',
}

interface ExampleTableProps {
  keyColumn: string
  examples: ComparisonExample[]
}

/** Some of the rows that differ, of each kind. */
export function ExampleTable({ keyColumn, examples }: ExampleTableProps) {
  if (examples.length === 0) return <p className={classes.intro}>No row differs.</p>
  return (
    <section aria-label="Examples">
      <h3 className={classes.heading}>Examples</h3>
      <DataTable
        label="Examples"
        rows={examples}
        rowKey={({ kind, key }) => `${kind} ${key}`}
        columns={exampleColumns(keyColumn)}
      />
    </section>
  )
}

const formatQuantity = (quantity: number | null) =>
  quantity === null ? '–' : formatCount(quantity)

function exampleColumns(keyColumn: string): Column<ComparisonExample>[] {
  return [
    {
      id: 'key',
      header: keyColumn || 'SKU',
      minWidth: 120,
      cell: ({ key }) => <Truncated text={key} />,
    },
    { id: 'kind', header: 'What', width: 124, cell: ({ kind }) => KIND_WORDS[kind] },
    {
      id: 'before',
      header: 'Before',
      align: 'right',
      width: 88,
      cell: ({ before }) => formatQuantity(before),
    },
    {
      id: 'after',
      header: 'After',
      align: 'right',
      width: 88,
      cell: ({ after }) => formatQuantity(after),
    },
  ]
}
