import { FrequencySelect } from '../../components/frequency-select'

interface RetailerFrequencyProps {
  minutes: number
  onChange: (minutes: number) => void
  /** Leaves UNLIMITED out, as the full page does: docs/rules.md#delivery. */
  isWithoutUnlimited?: boolean
  error?: string | undefined
}

/** How often a retailer's file may move on. */
export function RetailerFrequency(props: RetailerFrequencyProps) {
  return (
    <FrequencySelect
      {...props}
      unlimitedLabel="UNLIMITED (real-time)"
      description={
        props.minutes === 0
          ? 'Get real-time inventory updates without restrictions'
          : 'How often should inventory data be synced (in minutes)'
      }
    />
  )
}
