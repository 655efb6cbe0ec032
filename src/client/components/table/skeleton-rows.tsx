import { Skeleton } from '@mantine/core'

import classes from './data-table.module.css'

/** Rows of a table that is loading. */
export function SkeletonRows({ columnCount }: { columnCount: number }) {
  return (
    <tbody>
      {['a', 'b', 'c'].map((key) => (
        <tr key={key} className={classes.row}>
          {Array.from({ length: columnCount }, (_, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- skeletons have no identity
            <td key={index}>
              <Skeleton height={12} width={index === 0 ? '70%' : '50%'} my={5} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
