import type { Destination, DestinationList } from '../../../shared/schemas/destination'

export interface DestinationFormProps {
  retailerId: number
  supplierName: string | null
  /** null to add one. */
  destination: Destination | null
  list: DestinationList
  onClose: () => void
}
