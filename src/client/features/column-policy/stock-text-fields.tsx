import { Input, NumberInput } from '@mantine/core'

import { foldName } from '../../../shared/categories'
import { formatCountOf } from '../../../shared/format'
import type { StockText } from '../../../shared/schemas/column-policy'
import { MAX_QUANTITY } from '../../../shared/shop-formats'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { trpc } from '../../trpc'

import classes from './column-policy.module.css'

interface StockTextFieldsProps {
  connectionId: number
  /** The quantity column. */
  column: string
  value: StockText[]
  onChange: (value: StockText[]) => void
}

/** A quantity for each text of the quantity column, such as `high`. */
export function StockTextFields({ connectionId, column, value, onChange }: StockTextFieldsProps) {
  const query = trpc.columnPolicy.stockTexts.useQuery({ id: connectionId, column })
  const found = query.data?.texts ?? []
  const isSame = (one: string, other: string) => foldName(one) === foldName(other)
  const gone = value.filter(({ text }) => !found.some((other) => isSame(other.text, text)))
  const shown = [...found, ...gone.map(({ text }) => ({ text, rows: 0 }))]
  const change = (text: string, quantity: number | null) => {
    const others = value.filter((other) => !isSame(other.text, text))
    onChange(quantity === null ? others : [...others, { text, quantity }])
  }
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>Texts for stock</legend>
      {query.isError ? (
        <LoadError isCompact title="The texts could not be read" query={query} />
      ) : query.data === undefined ? (
        <LoadingBlock height={64} label="Loading the texts" />
      ) : shown.length === 0 ? (
        <p className={classes.note}>
          All cells of “<bdi>{column}</bdi>” are numbers or empty.
        </p>
      ) : (
        <>
          <p className={classes.note}>
            These cells of “<bdi>{column}</bdi>” are no numbers. Shops get the quantity that you
            enter, or 0.
          </p>
          <div className={classes.list}>
            {shown.map(({ text, rows }) => (
              <div key={text} className={classes.stock}>
                <span className={classes.label}>
                  <bdi>{text}</bdi>
                  <span className={classes.sample}>
                    {rows === 0 ? 'Not in the file' : formatCountOf(rows, 'row')}
                  </span>
                </span>
                <NumberInput
                  aria-label={`Quantity for ${text}`}
                  placeholder="0"
                  w={120}
                  min={0}
                  max={MAX_QUANTITY}
                  clampBehavior="strict"
                  allowDecimal={false}
                  allowNegative={false}
                  value={value.find((other) => isSame(other.text, text))?.quantity ?? ''}
                  onChange={(quantity) => change(text, quantity === '' ? null : Number(quantity))}
                />
              </div>
            ))}
          </div>
          {!query.data.isWhole && (
            <Input.Description>Only the first part of the file was searched.</Input.Description>
          )}
        </>
      )}
    </fieldset>
  )
}
