import { Select } from '@mantine/core'

import type { CategoryReading } from '../../../shared/schemas/file'
import { withFound } from './reading-labels'

const AUTOMATIC = ''
const NO_SEPARATOR = 'none'
const PATH_SEPARATORS = ['>', '/', '»'] as const
const LIST_SEPARATORS = ['|', ';', ','] as const

interface CategoryChoiceProps {
  /** What a sync would detect. */
  detected: CategoryReading | null
  /** null: nothing was chosen, so the detected one applies. */
  chosen: CategoryReading | null
  onChoose: (reading: CategoryReading | null) => void
}

interface CategoryColumnProps extends CategoryChoiceProps {
  /** Of the file; undefined as long as it was not read. */
  columns: string[] | undefined
}

/**
 * The category column, by which a retailer's rows are filtered:
 * docs/rules.md#what-a-retailer-sees.
 */
export function CategoryColumn({ columns, detected, chosen, onChoose }: CategoryColumnProps) {
  const reading = chosen ?? detected
  const names = [...new Set([...(chosen ? [chosen.column] : []), ...(columns ?? [])])]
  const isMissing = chosen !== null && columns !== undefined && !columns.includes(chosen.column)
  return (
    <Select
      label="Category column"
      searchable
      // Columns beyond the limit are found by searching.
      limit={200}
      allowDeselect={false}
      error={isMissing && 'This column is not in the file'}
      data={[
        { value: AUTOMATIC, label: withFound(detected?.column ?? null) },
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
  )
}

/** What separates the levels of a category, and the categories of a cell. */
export function CategorySeparators({ detected, chosen, onChoose }: CategoryChoiceProps) {
  const reading = chosen ?? detected
  return (
    <>
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
    </>
  )
}

function separatorOptions(separators: readonly string[]) {
  return [
    { value: NO_SEPARATOR, label: 'None' },
    ...separators.map((separator) => ({ value: separator, label: separator })),
  ]
}
