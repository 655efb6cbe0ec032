/** A stored time, in Unix milliseconds, as calls return it: in ISO 8601, in UTC. */
export const toInstant = (time: number): string => new Date(time).toISOString()

export const toInstantOrNull = (time: number | null): string | null =>
  time === null ? null : toInstant(time)
