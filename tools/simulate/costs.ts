/** Requests to a bucket, by their kind. */
export type BucketRequests = {
  head: number
  put: number
  copy: number
  get: number
  /** Objects that are deleted, of which a request takes many. */
  delete: number
}

/** What an operation costs the database and, if there is one, the bucket. */
export type OperationCost = {
  /** Transactions that write, each of which is flushed to the disk. */
  transactions: number
  /** Rows inserted, updated and deleted, those of `changes` among them. */
  rows: number
  bucket: BucketRequests
}

const NONE: BucketRequests = { head: 0, put: 0, copy: 0, get: 0, delete: 0 }

/** Counted by costs.test.ts, which fails when the product does it in another way. */
export const OPERATION_COSTS = {
  /** A source that says that nothing has changed. */
  unchangedAnswer: { transactions: 3, rows: 13, bucket: NONE },
  /** A new version with its place in the history of items, and the removal of the oldest one. */
  published: {
    transactions: 8,
    rows: 24,
    bucket: { ...NONE, head: 3, put: 3, delete: 2 },
  },
  /** A filtered file of a new version. */
  view: { transactions: 0, rows: 6, bucket: { ...NONE, head: 1, put: 1 } },
  /** All those of a version that are built together, with asking for them. */
  viewsTogether: { transactions: 3, rows: 0, bucket: NONE },
  /** A filtered file that no retailer reads any more. */
  viewRemoval: { transactions: 0, rows: 2, bucket: { ...NONE, delete: 1 } },
  /** All those of a connection that a clean-up removes; those of a hundred connections share one of the two. */
  viewsRemoval: { transactions: 2, rows: 0, bucket: NONE },
  /** The compressed copy of a file that is removed. */
  copyRemoval: { transactions: 0, rows: 2, bucket: { ...NONE, delete: 1 } },
  /** A compressed copy of a file. */
  compression: { transactions: 3, rows: 4, bucket: { ...NONE, put: 1 } },
  /** A retailer's first read of a version; what it costs more than others. */
  move: { transactions: 1, rows: 4, bucket: NONE },
  /** A read that is answered with a file. */
  sent: { transactions: 1, rows: 4, bucket: NONE },
  /** A read that is answered with 304. */
  notModified: { transactions: 1, rows: 2, bucket: NONE },
  /** The hourly clean-up of a connection of which nothing has to be removed. */
  cleanUp: { transactions: 0, rows: 0, bucket: NONE },
} satisfies Record<string, OperationCost>
