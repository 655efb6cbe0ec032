/** Results of calls that a page brings with it. */
export type FirstData = { path: string; input?: unknown; data: unknown }[]

/** The element of a page that has them, as JSON. */
export const FIRST_DATA_ID = 'first-data'
