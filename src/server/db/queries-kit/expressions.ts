import { sql, type Expression } from 'kysely'

import { HOUR_MS, MINUTE_MS } from '../../../shared/durations'
import { NO_ADDRESS } from '../stored-json'

/** The time between two syncs of a row of `connections`. */
export const SYNC_INTERVAL_MS = sql<number>`(case when "syncFrequencyMinutes" < 1 then 1
  else "syncFrequencyMinutes" end * ${sql.lit(MINUTE_MS)})`

/**
 * How often a row of `connections` is to have a new file, or the same one anew; null if files are only sent
 * to it, and nobody has said how often.
 */
export const FILE_INTERVAL_MS = sql<number | null>`(case when connections."config" = ${NO_ADDRESS}
  then "expectedEveryHours" * ${sql.lit(HOUR_MS)} else ${SYNC_INTERVAL_MS} end)`

/** The smaller of two numbers; null when the first one is. */
export const smaller = (one: Expression<number | null>, other: Expression<number>) =>
  sql<number>`case when ${one} > ${other} then ${other} else ${one} end`

/** Whether anybody signs in with a row of `users`; nobody with a company's whose first login was closed. */
export const CAN_SIGN_IN = sql<boolean>`(users."passwordHash" is not null or users."googleUid" is not null)`

/** The company of a row of `users`: itself, unless it is a member of one. */
export const COMPANY_ID = sql<number>`coalesce(users."memberOf", users.id)`

/** A text for comparing and ordering regardless of ASCII case; other letters stay as they are. */
export const ignoringCase = (column: string) => sql<string>`lower(${sql.ref(column)})`

/** What `ignoringCase` makes of a text. */
export const toLowerAscii = (text: string) =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Whether a row is leased by the run that has this token, still. */
export const isLeasedBy = (leaseToken: string, now: number) =>
  sql<boolean>`("leaseToken" = ${leaseToken} and "leaseUntil" > ${now})`
