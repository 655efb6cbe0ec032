import type { Destination, DestinationList } from '../../../shared/schemas/destination'
import type { SentFile } from './sent-file'

export interface DestinationFormProps {
  file: SentFile
  supplierName: string | null
  /** null to add one. */
  destination: Destination | null
  list: DestinationList
  onClose: () => void
}
