import { Select } from '@mantine/core'

import type { CategoryReading } from '../../../shared/schemas/file'

import classes from './source-preview-dialog.module.css'

const AUTOMATIC = ''
const NO_SEPARATOR = 'none'
const PATH_SEPARATORS = ['>', '/', '»'] as const
const LIST_SEPARATORS = ['|', ';', ','] as const

interface CategoryChoiceProps {
  columns: string[]
  /** What a sync would detect. */
  detected: CategoryReading | null
  /** null: nothing was chosen, so the detected one applies. */
  chosen: CategoryReading | null
  onChoose: (reading: CategoryReading | null) => void
}

/**
 * The category column and its separators, by which a retailer's rows are filtered:
 * docs/rules.md#what-a-retailer-sees.
 */
export function CategoryChoice({ columns, detected, chosen, onChoose }: CategoryChoiceProps) {
  const reading = chosen ?? detected
  const names = [...new Set([...(chosen ? [chosen.column] : []), ...columns])]
  return (
    <div className={classes.choice}>
      <Select
        label="Category column"
        searchable
        // Columns beyond the limit are found by searching.
        limit={200}
        allowDeselect={false}
        data={[
          {
            value: AUTOMATIC,
            label: detected ? `Detected: ${detected.column}` : 'Detect automatically',
          },
          ...names.filter(Boolean).map((name) => ({ value: name, label: name })),
        ]}
        value={chosen?.column ?? AUTOMATIC}
        onChange={(column) =>
          onChoose(
            column
              ? {
                  column,
                  pathSeparator: reading?.pathSeparator ?? null,
                  listSeparator: reading?.listSeparator ?? null,
                }
              : null,
          )
        }
      />
      <Select
        label="Level separator"
        allowDeselect={false}
        disabled={!reading}
        data={separatorOptions(PATH_SEPARATORS)}
        value={reading?.pathSeparator ?? NO_SEPARATOR}
        onChange={(separator) =>
          reading &&
          onChoose({
            ...reading,
            pathSeparator: PATH_SEPARATORS.find((known) => known === separator) ?? null,
          })
        }
      />
      <Select
        label="List separator"
        allowDeselect={false}
        disabled={!reading}
        data={separatorOptions(LIST_SEPARATORS)}
        value={reading?.listSeparator ?? NO_SEPARATOR}
        onChange={(separator) =>
          reading &&
          onChoose({
            ...reading,
            listSeparator: LIST_SEPARATORS.find((known) => known === separator) ?? null,
          })
        }
      />
    </div>
  )
}

function separatorOptions(separators: readonly string[]) {
  return [
    { value: NO_SEPARATOR, label: 'None' },
    ...separators.map((separator) => ({ value: separator, label: separator })),
  ]
}
