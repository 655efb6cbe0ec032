import { formatCount, formatCountOf } from '../../../shared/format'
import { formatChange } from '../../../shared/hold-reasons'
import type { HoldReason } from '../../../shared/schemas/publishing'
import { BarPair } from '../../components/chart/bar-pair'

import classes from './publishing.module.css'

type Counted = Extract<HoldReason, { rule: 'rows' | 'quantity' | 'keys' }>

export const isCounted = (reason: HoldReason): reason is Counted =>
  reason.rule === 'rows' || reason.rule === 'quantity' || reason.rule === 'keys'

/** What a held file has less of than the published one. */
export function HoldBars({ reasons }: { reasons: Counted[] }) {
  return (
    <div className={classes.bars}>
      {reasons.map((reason) => {
        const values = toValues(reason)
        return (
          <BarPair
            key={reason.rule}
            title={toTitle(reason)}
            change={formatChange(values)}
            before={{ name: 'Published', value: values.before }}
            after={{ name: 'Held', value: values.after }}
            note={reason.rule === 'keys' ? describeLost(reason) : undefined}
          />
        )
      })}
    </div>
  )
}

function toTitle(reason: Counted): string {
  if (reason.rule === 'rows') return 'Rows'
  return reason.rule === 'quantity'
    ? `Quantity, in “${reason.column}”`
    : `Items still in stock, by “${reason.column}”`
}

const toValues = (reason: Counted) =>
  reason.rule === 'keys'
    ? { before: reason.known, after: reason.known - reason.gone - reason.newlyZero }
    : reason

/** `71 items gone, 12 at 0; for example A-1, A-2`. */
export function describeLost({ gone, newlyZero, examples }: Extract<HoldReason, { rule: 'keys' }>) {
  const parts = [
    ...(gone > 0 ? [`${formatCountOf(gone, 'item')} gone`] : []),
    ...(newlyZero > 0 ? [`${formatCount(newlyZero)} at 0`] : []),
  ]
  const shown = examples.length > 0 ? `; for example ${examples.join(', ')}` : ''
  return `${parts.join(', ')}${shown}`
}
