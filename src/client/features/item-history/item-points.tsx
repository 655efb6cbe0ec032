import { Button } from '@mantine/core'
import { useState } from 'react'

import type { ItemHistory, ItemPoint } from '../../../shared/schemas/item-history'
import { Panel } from '../../components/layout/panel'
import { RecordsDownload } from '../../components/layout/records-download'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { formatDateTime } from '../../lib/time-format'
import { describeState, formatNumber, formatPrice } from './item-words'

/** Shown before all are asked for. */
const FIRST_SHOWN = 10

const CSV_COLUMNS = {
  from: ({ at }: ItemPoint) => at,
  'in the file': ({ state }: ItemPoint) => ({ in: 'yes', out: 'no', untold: '' })[state],
  quantity: ({ quantity }: ItemPoint) => quantity ?? '',
  price: ({ price }: ItemPoint) => price ?? '',
}

/** The values of an item as a table, the newest first. */
export function ItemPoints({ history }: { history: ItemHistory }) {
  const [isOpen, setOpen] = useState(false)
  const newest = history.points.toReversed()
  return (
    <Panel
      title="All values"
      description="Each holds until the one above it"
      isFlush
      actions={
        <RecordsDownload rows={history.points} columns={CSV_COLUMNS} fileName="item-history.csv" />
      }
      footer={
        newest.length > FIRST_SHOWN &&
        !isOpen && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Show all {newest.length}
          </Button>
        )
      }
    >
      <DataTable
        label="Values over time"
        rows={isOpen ? newest : newest.slice(0, FIRST_SHOWN)}
        rowKey={({ at }) => at}
        columns={listColumns(history)}
      />
    </Panel>
  )
}

function listColumns({ quantityColumn, priceColumn }: ItemHistory): Column<ItemPoint>[] {
  const value = (
    id: 'quantity' | 'price',
    header: string,
    format: (value: number | null) => string,
  ): Column<ItemPoint> => ({
    id,
    header,
    align: 'right',
    minWidth: 110,
    cell: (point) => (point.state === 'in' ? format(point[id]) : '–'),
  })
  return [
    { id: 'at', header: 'From', minWidth: 168, cell: ({ at }) => formatDateTime(at) },
    {
      id: 'state',
      header: 'State',
      minWidth: 130,
      cell: (point) => (point.state === 'in' ? 'In the file' : describeState(point)),
    },
    ...(quantityColumn === null ? [] : [value('quantity', 'Quantity', formatNumber)]),
    ...(priceColumn === null ? [] : [value('price', 'Price', formatPrice)]),
  ]
}
