import type { ProcessRole, RestoreStep } from '../../../shared/constants'

/** A process of the product that runs, or did a short while ago. */
export type ProcessesTable = {
  /** Another one each time a process starts. */
  id: string
  role: ProcessRole
  /** The name of its machine or container. */
  host: string
  pid: number
  version: string
  revision: string | null
  /** `Node v26.10.0` */
  runtime: string
  startedAt: number
  /** When it last said that it runs, about once a minute. */
  seenAt: number
}

/** How large everything was on a day, in bytes. */
export type DataSizesTable = {
  /** When the day began, in UTC. */
  startedAt: number
  databaseBytes: number
  /** Of the inventory files, each content once. */
  filesBytes: number
  /** Of all backups, what they share counted once; null when they could not be listed. */
  backupsBytes: number | null
  /** Of the disk of the data folder. */
  freeBytes: number
  totalBytes: number
}

/** The restore that an administrator has asked for last. There is one row, of id 1. */
export type RestoresTable = {
  id: number
  /** Another one for each restore. */
  token: string
  backup: string
  requestedById: number | null
  requestedAt: number
  step: RestoreStep
  /** What is done at the moment, in words. */
  detail: string | null
  leaseToken: string | null
  leaseUntil: number | null
  endedAt: number | null
  /** Why nothing was restored. */
  reason: string | null
}
