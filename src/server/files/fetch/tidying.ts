import type { AfterReading } from '../../../shared/schemas/transfer'

/** What is to become of a file at its server that was read. */
export interface Tidying {
  /** As it was when it was read: another file of its name stays. */
  etag: string
  /** Its name, if its address has a pattern. */
  foundName: string | undefined
  afterReading: AfterReading
}
