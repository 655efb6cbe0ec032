import { Input, Select, TextInput } from '@mantine/core'

import type { ShopFormat, ShopFormatChoice } from '../../../shared/schemas/shop-format'
import { MAX_OWN_COLUMNS, OWN_COLUMN_NAME_MAX_LENGTH } from '../../../shared/shop-formats'
import { PlaceButtons } from './place-buttons'

import classes from './shop-format-fields.module.css'

type OwnColumn = ShopFormat['columns'][number]

interface OwnColumnsProps {
  /** Those of the supplier's file. */
  columns: ShopFormatChoice['columns']
  value: OwnColumn[]
  onChange: (value: OwnColumn[]) => void
  error?: React.ReactNode
}

/** The columns of a file that a retailer puts together: which, in which order, under which names. */
export function OwnColumns({ columns, value, onChange, error }: OwnColumnsProps) {
  const names = [...new Set(columns.map(({ name }) => name))].filter((name) => name !== '')
  const change = (place: number, changed: OwnColumn[]) =>
    onChange(value.toSpliced(place, 1, ...changed))
  const move = (place: number, to: number) => {
    const column = value[place]
    if (column) onChange(value.toSpliced(place, 1).toSpliced(to, 0, column))
  }
  return (
    <Input.Wrapper
      label="Columns"
      labelElement="div"
      description={value.length === 0 ? 'All columns, until you choose some' : undefined}
      error={error}
    >
      <div className={classes.columns}>
        {value.map((column, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a column may be chosen twice
          <div key={place} className={classes.column}>
            <span className={classes.source} dir="auto" title={column.column}>
              {column.column}
            </span>
            <TextInput
              aria-label={`Name of ${column.column} in the file`}
              value={column.header}
              maxLength={OWN_COLUMN_NAME_MAX_LENGTH}
              error={column.header.trim() === ''}
              onChange={(event) =>
                change(place, [{ ...column, header: event.currentTarget.value }])
              }
            />
            <PlaceButtons
              name={column.column}
              isFirst={place === 0}
              isLast={place === value.length - 1}
              onMove={(by) => move(place, place + by)}
              onLeaveOut={() => change(place, [])}
            />
          </div>
        ))}
        <Select
          aria-label="Add a column"
          placeholder="Add a column"
          searchable
          nothingFoundMessage="Nothing found"
          disabled={value.length >= MAX_OWN_COLUMNS}
          data={names}
          value={null}
          onChange={(name) =>
            name &&
            onChange([
              ...value,
              { column: name, header: name.slice(0, OWN_COLUMN_NAME_MAX_LENGTH) },
            ])
          }
        />
      </div>
    </Input.Wrapper>
  )
}
