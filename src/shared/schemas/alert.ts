import { z } from 'zod'

import { ALERT_KINDS } from '../alerts'

export const alertKindSchema = z.enum(ALERT_KINDS)

/** What is told of an event besides its kind and subject: names as they were then, reason and numbers. */
export const eventDetailsSchema = z.object({
  supplierName: z.string().optional(),
  connectionName: z.string().optional(),
  storeName: z.string().optional(),
  /** In a sentence, with its numbers. */
  reason: z.string().optional(),
  fileName: z.string().optional(),
  rowCount: z.number().int().optional(),
  /** When a late file was last known to be current, or a silent retailer last read; Unix milliseconds. */
  since: z.number().optional(),
  /** Only retailers are told, because the others know the cause. */
  isForRetailersOnly: z.boolean().optional(),
  /** The recovery of a late file, of which retailers had been told. */
  wasLate: z.boolean().optional(),
})
export type EventDetails = z.infer<typeof eventDetailsSchema>
