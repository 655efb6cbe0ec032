import { Select } from '@mantine/core'

import type { CategoryReading } from '../../../shared/schemas/file'

import classes from './source-preview-dialog.module.css'

const AUTOMATIC = ''
const NO_SIGN = 'none'
const PATH_SIGNS = ['>', '/', '»'] as const
const LIST_SIGNS = ['|', ';', ','] as const

interface CategoryChoiceProps {
  columns: string[]
  /** What a sync would choose by itself. */
  detected: CategoryReading | null
  /** null: nothing was chosen, the detected one holds. */
  chosen: CategoryReading | null
  onChoose: (reading: CategoryReading | null) => void
}

/** Reading 7: which column holds the category by which retailers are restricted, and its signs. */
export function CategoryChoice({ columns, detected, chosen, onChoose }: CategoryChoiceProps) {
  const reading = chosen ?? detected
  const names = [...new Set([...(chosen ? [chosen.column] : []), ...columns])]
  return (
    <div className={classes.choice}>
      <Select
        label="Category column"
        searchable
        // Of two thousand columns the search finds the others.
        limit={200}
        allowDeselect={false}
        data={[
          { value: AUTOMATIC, label: detected ? `Detected: ${detected.column}` : 'Detect it' },
          ...names.filter(Boolean).map((name) => ({ value: name, label: name })),
        ]}
        value={chosen?.column ?? AUTOMATIC}
        onChange={(column) =>
          onChoose(
            column
              ? { column, pathSign: reading?.pathSign ?? null, listSign: reading?.listSign ?? null }
              : null,
          )
        }
      />
      <Select
        label="Levels are separated by"
        allowDeselect={false}
        disabled={!reading}
        data={signOptions(PATH_SIGNS)}
        value={reading?.pathSign ?? NO_SIGN}
        onChange={(sign) =>
          reading &&
          onChoose({ ...reading, pathSign: PATH_SIGNS.find((known) => known === sign) ?? null })
        }
      />
      <Select
        label="Several are separated by"
        allowDeselect={false}
        disabled={!reading}
        data={signOptions(LIST_SIGNS)}
        value={reading?.listSign ?? NO_SIGN}
        onChange={(sign) =>
          reading &&
          onChoose({ ...reading, listSign: LIST_SIGNS.find((known) => known === sign) ?? null })
        }
      />
    </div>
  )
}

function signOptions(signs: readonly string[]) {
  return [
    { value: NO_SIGN, label: 'Nothing' },
    ...signs.map((sign) => ({ value: sign, label: sign })),
  ]
}
