/** What suppliers, retailers and their shops do: assumptions, which `--set` replaces. */
export type Workload = {
  retailersPerSupplier: number
  /** Shares of connections that sync every quarter of an hour and every hour; the others sync daily. */
  quarterHourlyShare: number
  hourlyShare: number
  /** Of syncs, those that bring the file that is published. */
  unchangedShare: number
  /** Of suppliers, those that send a workbook of Excel instead of CSV. */
  workbookShare: number
  /** Half of all files are smaller; of a workbook, the table that it becomes. */
  medianFileMegabytes: number
  /** The standard deviation of the logarithm of sizes: at 1.5, one file in 100 is 33 times the median. */
  fileSizeSpread: number
  maxFileMegabytes: number
  /** Of the files of a supplier. */
  quotaGigabytes: number
  /** Of a supplier's retailers, those that see some categories or have a form of their own. */
  filteredShare: number
  /** Distinct files of those for each supplier, at most. */
  maxViews: number
  /** Of the rows of the supplier's file, those in such a file. */
  filteredRowShare: number
  /** How often the shop of a retailer reads its address. */
  readsPerDay: number
  /** Of shops, those that ask whether the file has changed since they last read it. */
  conditionalShare: number
  /** Of shops, those that accept gzip alone, and those that accept brotli too. */
  gzipShare: number
  brotliShare: number
  /** Of the bytes of a file, those of its compressed copy. */
  copySize: number
  /** What people do for each supplier and day that is recorded: sign-ins, settings, retailers. */
  actionsPerDay: number
  /** The busiest hour has so many times the mean of the day. */
  peakFactor: number
}

export const WORKLOAD: Workload = {
  retailersPerSupplier: 100,
  // Most choose the default of the screens, an hour; exports of large systems are nightly.
  quarterHourlyShare: 0.1,
  hourlyShare: 0.6,
  // Stock changes during the working day only.
  unchangedShare: 0.6,
  // No survey says. Files of shops and programs are CSV, and those that people keep are workbooks.
  workbookShare: 0.2,
  // Ten thousand items of 80 bytes.
  medianFileMegabytes: 0.8,
  fileSizeSpread: 1.5,
  // The default of MAX_FILE_BYTES.
  maxFileMegabytes: 268,
  // The default of MAX_STORAGE_PER_SUPPLIER.
  quotaGigabytes: 5.4,
  filteredShare: 0.3,
  maxViews: 20,
  filteredRowShare: 0.2,
  readsPerDay: 24,
  conditionalShare: 0.7,
  // Programs in PHP and Python accept gzip; browsers and those in newer JavaScript both.
  gzipShare: 0.6,
  brotliShare: 0.15,
  copySize: 0.2,
  actionsPerDay: 5,
  peakFactor: 3,
}

/** In dollars; list prices of large providers are near these. */
export type Prices = {
  coreMonth: number
  databaseGigabyteMonth: number
  fileGigabyteMonth: number
  /** Of the bucket: of requests that write or list, and of those that read. */
  thousandWrites: number
  thousandReads: number
  sentGigabyte: number
}

export const PRICES: Prices = {
  coreMonth: 30,
  databaseGigabyteMonth: 0.12,
  fileGigabyteMonth: 0.023,
  thousandWrites: 0.005,
  thousandReads: 0.0004,
  sentGigabyte: 0.05,
}
