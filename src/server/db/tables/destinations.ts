import type { Generated } from 'kysely'

import type { DestinationKind, DispatchStatus, WebMethod } from '../../../shared/destinations'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import type { StoredConfig } from '../stored-json'

/** Where a retailer has its files sent to: those of one supplier, or its merged file. */
export type DestinationsTable = {
  id: Generated<number>
  /** One of the two. */
  retailerId: number | null
  mergedFileId: number | null
  name: string
  kind: DestinationKind
  /** Its address and what opens it, as of a source; without an address for mails. */
  config: StoredConfig
  /** Of a web address. */
  method: WebMethod | null
  /** Of mails: the people of the company who get them. */
  recipients: Generated<number[]>
  /** How its files are called: `inventory.csv`, or with `{supplier}`, `{time}` and `{version}`. */
  fileName: string
  /** The form in which it gets the file; null: the retailer's own. */
  profile: ShopFormat | null
  /** `06:00`, in the retailer's time zone; empty: whenever the retailer's file is another one. */
  times: Generated<string[]>
  onlyIfChanged: Generated<boolean>
  /** Switched off by people. */
  isActive: Generated<boolean>
  /** Since when and why nothing is sent any more after too many failures. */
  pausedAt: number | null
  pausedReason: string | null
  /** When it is next to be seen whether there is something to send; null: when something happens. */
  checkAt: number | null
  /** Whether the last file took long, so that the next ones go apart from others. */
  isSlow: Generated<boolean>
  /** What it got last. */
  sentVersionId: number | null
  sentSha256: string | null
  sentAt: number | null
  createdAt: number
}

/** A file on its way to a destination, and what became of it. */
export type DispatchesTable = {
  id: Generated<number>
  /** null when the destination is gone. */
  destinationId: number | null
  /** One of the two. */
  retailerId: number | null
  mergedFileId: number | null
  /** As it was called. */
  destinationName: string
  kind: DestinationKind
  /** One of the two; null when the version is gone. */
  versionId: number | null
  mergedVersionId: number | null
  /** The name of the version's file. */
  versionName: string
  /** Under which name it is sent; each attempt has the same, and the same key. */
  fileName: string
  mediaType: string
  sha256: string
  sizeBytes: number
  rowCount: number
  idempotencyKey: string
  status: DispatchStatus
  attempts: Generated<number>
  /** Whether it may have arrived before: nobody knows how an earlier attempt ended. */
  isRepeat: Generated<boolean>
  nextAttemptAt: number | null
  leaseToken: string | null
  leaseUntil: number | null
  createdAt: number
  /** When the last attempt began. */
  startedAt: number | null
  endedAt: number | null
  /** What the other side said, or why it failed. */
  answer: string | null
}
