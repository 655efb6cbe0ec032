import { VisuallyHidden } from '@mantine/core'
import { useId } from 'react'

import { nameRecords } from '../../../shared/file-source'
import { formatCount, formatCountOf } from '../../../shared/format'
import type { TableParts } from '../../../shared/schemas/connection'
import type { RecordPlace } from '../../../shared/schemas/record-place'
import { SETTING_LABELS } from './reading-labels'

import classes from './record-choice.module.css'

interface RecordChoiceProps {
  chosen: RecordPlace | null
  /** What is read now; null before the file is read. */
  used: RecordPlace | null
  places: TableParts['records']
  onChoose: (place: RecordPlace | null) => void
}

type ListedPlace = TableParts['records'][number]

/** How much of each place is shown. */
const SHOWN_COLUMNS = 4
const SHOWN_ROWS = 2

/** Which records of an XML or JSON file are the rows: the places that it has, each with its first rows. */
export function RecordChoice({ chosen, used, places, onChoose }: RecordChoiceProps) {
  const name = useId()
  const isGone = chosen !== null && !places.some((place) => isSame(place, chosen))
  const card = { name, used }
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{SETTING_LABELS.records}</legend>
      <p className={classes.help}>
        The file may have several lists. Choose the one whose items are your products; where they
        have variants, each variant can be a row.
      </p>
      <div className={classes.cards}>
        <Card
          {...card}
          title="Automatic"
          facts={
            used && !chosen ? `Found: ${nameRecords(used)}` : 'The list that looks like products'
          }
          isChosen={chosen === null}
          onChoose={() => onChoose(null)}
        />
        {places.map((place) => (
          <Card
            {...card}
            key={keyOf(place)}
            title={nameRecords(place)}
            facts={describe(place)}
            place={place}
            isChosen={chosen !== null && isSame(place, chosen)}
            onChoose={() => onChoose({ path: place.path, variants: place.variants })}
          />
        ))}
        {isGone && (
          <Card
            {...card}
            title={nameRecords(chosen)}
            facts="Not found in the file that was read last"
            isChosen
            onChoose={() => onChoose(chosen)}
          />
        )}
      </div>
    </fieldset>
  )
}

interface CardProps {
  /** Of the group of radio buttons. */
  name: string
  title: string
  facts: string
  place?: ListedPlace
  used: RecordPlace | null
  isChosen: boolean
  onChoose: () => void
}

/** One place, which is chosen by a click anywhere on it. */
function Card({ name, title, facts, place, used, isChosen, onChoose }: CardProps) {
  const id = useId()
  const isUsed = place !== undefined && used !== null && isSame(place, used)
  return (
    <div
      className={classes.card}
      data-chosen={isChosen || undefined}
      data-wide={!place || undefined}
    >
      <input
        type="radio"
        className={classes.radio}
        name={name}
        checked={isChosen}
        onChange={onChoose}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-facts`}
      />
      <div className={classes.head}>
        <span id={`${id}-title`} className={classes.title}>
          {title}
        </span>
        {isUsed && <span className={classes.used}>Read now</span>}
      </div>
      <span id={`${id}-facts`} className={classes.facts}>
        {facts}
        {place && <VisuallyHidden>. Columns: {nameColumns(place)}</VisuallyHidden>}
      </span>
      {place && <Examples place={place} />}
    </div>
  )
}

function Examples({ place }: { place: ListedPlace }) {
  const { header, firstRows } = place
  const columns = pickColumns(place)
  const rows = [...(header.length > 0 ? [header] : []), ...firstRows].slice(0, SHOWN_ROWS + 1)
  return (
    // The description has the names of the columns, and the preview all rows.
    <div
      className={classes.examples}
      style={{ gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))` }}
      aria-hidden="true"
    >
      {rows.flatMap((cells, row) =>
        columns.map((column) => (
          <span
            key={`${row}:${column}`}
            data-header={(row === 0 && header.length > 0) || undefined}
          >
            {cells[column]}
          </span>
        )),
      )}
    </div>
  )
}

/** The first columns; for variants, those in which they differ before others. */
function pickColumns({ firstRows: [first = [], ...others], variants }: ListedPlace): number[] {
  const differs = (column: number) =>
    variants !== null && others.some((cells) => cells[column] !== first[column])
  return first
    .map((_, column) => column)
    .toSorted((one, other) => Number(differs(other)) - Number(differs(one)))
    .slice(0, SHOWN_COLUMNS)
    .toSorted((one, other) => one - other)
}

/** `catalog › product, a row for each of variants › variant · 1,204 rows · 14 columns`. */
function describe({ path, variants, rows, isWhole, columnCount }: ListedPlace): string {
  const place = path.length > 0 ? path.join(' › ') : 'the whole list'
  const each = variants ? `, a row for each of ${variants.join(' › ')}` : ''
  const count = `${formatCount(rows)}${isWhole ? '' : '+'} ${rows === 1 ? 'row' : 'rows'}`
  return `${place}${each} · ${count} · ${formatCountOf(columnCount, 'column')}`
}

function nameColumns(place: ListedPlace): string {
  const names = pickColumns(place).map((column) => place.header[column])
  return names.join(', ') + (place.columnCount > names.length ? ' …' : '')
}

const keyOf = ({ path, variants }: RecordPlace) => JSON.stringify([path, variants])

const isSame = (one: RecordPlace, other: RecordPlace) => keyOf(one) === keyOf(other)
