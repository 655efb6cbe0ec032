import { formatCount, formatCountOf } from '../../../shared/format'
import { GONE_DAYS, MAX_GONE_ITEMS } from '../../../shared/gone-items'
import type { Version } from '../../../shared/schemas/publishing'

import classes from './publishing.module.css'

/** How many items shops get at quantity 0 because they have left the file or a category; nothing if there are none. */
export function GoneItems({ goneItems: { kept, dropped } }: Pick<Version, 'goneItems'>) {
  if (kept + dropped === 0) return null
  return (
    <span
      className={classes.gone}
      title={`Items that left the file or a category stay in stock files at quantity 0 for ${GONE_DAYS} days`}
    >
      {`${formatCountOf(kept, 'item')} gone, at 0 in shops`}
      {dropped > 0 &&
        `; ${formatCount(dropped)} more left out: at most ${formatCount(MAX_GONE_ITEMS)} are kept`}
    </span>
  )
}
