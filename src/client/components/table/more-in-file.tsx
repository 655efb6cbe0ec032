import { formatCountOf } from '../../../shared/format'

import classes from './preview-table.module.css'

interface MoreInFileProps {
  rowCount?: number
  columnCount: number
}

/** What a preview omits: `and 63 more rows and 1,800 more columns`. */
export function MoreInFile({ rowCount = 0, columnCount }: MoreInFileProps) {
  const parts = [
    ...(rowCount > 0 ? [formatCountOf(rowCount, 'more row')] : []),
    ...(columnCount > 0 ? [formatCountOf(columnCount, 'more column')] : []),
  ]
  if (parts.length === 0) return null
  return (
    <p className={classes.more} data-figures>
      and {parts.join(' and ')}
    </p>
  )
}
