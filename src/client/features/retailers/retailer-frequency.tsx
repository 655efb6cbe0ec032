import type { ComponentProps } from 'react'

import { FrequencySelect } from '../../components/form/frequency-select'

/** How often a retailer's file may move to a newer version. */
export function RetailerFrequency(props: ComponentProps<typeof FrequencySelect>) {
  return (
    <FrequencySelect
      {...props}
      unlimitedLabel="UNLIMITED (real-time)"
      description={
        props.value === 0
          ? 'Get real-time inventory updates without restrictions'
          : 'How often should inventory data be synced (in minutes)'
      }
    />
  )
}
