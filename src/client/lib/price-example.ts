import { createPricing, toUnits } from '../../shared/pricing'
import type { PriceRules } from '../../shared/schemas/price-rules'

const EXAMPLE_COST = '10.00'
const DECIMAL = /^\d{1,8}(?:\.\d{1,4})?$/
const PERCENT = /^-?\d{1,3}(?:\.\d{1,2})?$/

/** Says what price rules make of a cost; empty while they are typed and cannot be read. */
export function describeExample(rules: PriceRules): string {
  const tiers = rules.tiers.map(({ from, percent, fixed }) => ({
    from: from.trim(),
    percent: percent.trim(),
    fixed: fixed.trim(),
  }))
  const isReadable = tiers.every(
    ({ from, percent, fixed }) =>
      DECIMAL.test(from) && PERCENT.test(percent) && DECIMAL.test(fixed) && Number(percent) >= -100,
  )
  if (!isReadable || Number(tiers[0]?.from) !== 0) return ''
  const price = createPricing({ ...rules, tiers })(toUnits(EXAMPLE_COST))
  return `A cost of ${EXAMPLE_COST} becomes ${price}.`
}
