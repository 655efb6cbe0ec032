import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'

import { MAX_RETAILERS_AT_ONCE } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'

import classes from './selection-bar.module.css'

interface SelectionBarProps {
  count: number
  onEdit: () => void
  onClear: () => void
}

/** What can be done with the selected retailers; nothing while none is selected. */
export function SelectionBar({ count, onEdit, onClear }: SelectionBarProps) {
  if (count === 0) return null
  const isTooMany = count > MAX_RETAILERS_AT_ONCE
  return (
    <section className={classes.bar} aria-label="Selected retailers">
      <output className={classes.count}>
        {formatCountOf(count, 'retailer')} selected
        {isTooMany && `, at most ${MAX_RETAILERS_AT_ONCE} can be changed at once`}
      </output>
      <Button
        size="xs"
        leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden="true" />}
        disabled={isTooMany}
        onClick={onEdit}
      >
        Change settings
      </Button>
      <Button size="xs" variant="default" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  )
}
