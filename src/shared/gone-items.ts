/** How long files for shops have an item at quantity 0 after it has left the supplier's file. */
export const GONE_DAYS = 30
/** Items that have left a file; of more, some are forgotten. */
export const MAX_GONE_ITEMS = 100_000
