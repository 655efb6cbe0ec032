/** What a digest counts. */
export const DIGEST_KINDS = ['added', 'removed', 'back', 'out', 'price'] as const
export type DigestKind = (typeof DIGEST_KINDS)[number]

export const DIGEST_PERIODS = ['daily', 'weekly'] as const
export type DigestPeriod = (typeof DIGEST_PERIODS)[number]

/** When digests are made, by the clock of their recipient. */
export const DIGEST_TIME = '07:00'

export const MAX_DIGEST_EXAMPLES = 5
export const MAX_DIGEST_CATEGORIES = 20
export const MAX_DIGEST_SOURCES = 20
export const MAX_PRICE_PERCENT = 1_000
