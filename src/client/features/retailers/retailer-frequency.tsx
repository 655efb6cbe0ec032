import { FrequencySelect } from '../../components/frequency-select'

interface RetailerFrequencyProps {
  minutes: number
  onChange: (minutes: number) => void
  /** The full page is without UNLIMITED (reading 16). */
  isWithoutUnlimited?: boolean
  error?: string | undefined
}

/** §2: how often a retailer's file may move on. */
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
