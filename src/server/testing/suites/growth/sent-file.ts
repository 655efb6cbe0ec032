import type { SourceReading } from '../../../../shared/schemas/source-reading'

/** A file at a supplier's address, and how the supplier has chosen that it is read. */
export type SentFile = { bytes: Buffer; reading: SourceReading }
