import { Select } from '@mantine/core'

import { foldName } from '../../../shared/categories'
import {
  DECIMAL_MARKS,
  type DecimalMark,
  type NumberStyle,
} from '../../../shared/schemas/column-numbers'
import type { ColumnSettings } from '../../../shared/schemas/column-policy'

import classes from './column-policy.module.css'

const AUTOMATIC = ''

const LABELS: Record<DecimalMark, string> = {
  comma: 'Comma, as in 1.234,50',
  point: 'Point, as in 1,234.50',
}

interface DecimalMarkFieldProps {
  /** The quantity column. */
  column: string
  numbers: ColumnSettings['numbers']
  value: DecimalMark | null
  onChange: (value: DecimalMark | null) => void
}

/** What separates the decimals of quantities, with a number of the file that depends on it. */
export function DecimalMarkField({ column, numbers, value, onChange }: DecimalMarkFieldProps) {
  const found = numbers.find((known) => foldName(known.column) === foldName(column))
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>Numbers</legend>
      <p className={classes.note}>
        Whether 12,000 is twelve or twelve thousand. Automatic looks at the whole column.
      </p>
      <Select
        label={
          <>
            Decimal mark in “<bdi>{column}</bdi>”
          </>
        }
        allowDeselect={false}
        description={found && describe(found, value)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[
          { value: AUTOMATIC, label: automaticLabel(found?.style ?? null) },
          ...DECIMAL_MARKS.map((mark) => ({ value: mark, label: LABELS[mark] })),
        ]}
        value={value ?? AUTOMATIC}
        onChange={(mark) => onChange(DECIMAL_MARKS.find((known) => known === mark) ?? null)}
      />
    </fieldset>
  )
}

function automaticLabel(style: NumberStyle | null): string {
  if (style === 'comma' || style === 'point') return `Automatic (found: ${style})`
  return style === null ? 'Automatic' : 'Automatic (not certain)'
}

type Found = ColumnSettings['numbers'][number]

/** What the choice makes of a number of the file. */
function describe({ example, style }: Found, chosen: DecimalMark | null): string {
  if (!example) return 'No number in the file depends on it.'
  const { text, comma, point } = example
  const readings: Record<NumberStyle, number> = {
    comma,
    point,
    thousands: Math.max(comma, point),
    decimals: Math.min(comma, point),
  }
  const read = `“${text}” is read as ${readings[chosen ?? style ?? 'decimals']}.`
  if (chosen !== null || style === 'comma' || style === 'point') return read
  return `${read} ${style === 'thousands' ? UNKNOWN : CONTRADICTORY}`
}

const UNKNOWN = 'Nothing in the file shows whether that is right: please choose.'
const CONTRADICTORY = 'The numbers of the file contradict each other: please choose.'
