/** What BullMQ supports, and what it works on at all. */
const SUPPORTED = { major: 6, minor: 2 }
const OLDEST_MAJOR = 5

export const OLDEST_REDIS = `${SUPPORTED.major}.${SUPPORTED.minor}`

/** The version in a server's answer to INFO; `?` when there is none. */
export const readRedisVersion = (info: string): string =>
  /redis_version:(\S+)/.exec(info)?.[1] ?? '?'

/** What becomes of a Redis server that is too old. */
export type OldRedis = {
  /** Without it, workers find their work in the database. */
  isUsed: boolean
  text: string
}

/**
 * Judges the `redis_version` that a server tells of itself; undefined when it is new enough, or tells
 * no version. Other servers tell the version of the Redis that they are like.
 */
export function judgeRedisVersion(version: string): OldRedis | undefined {
  const [, major, minor] = (/^(\d{1,9})\.(\d{1,9})/.exec(version) ?? []).map(Number)
  if (major === undefined || minor === undefined) return undefined
  if (major > SUPPORTED.major || (major === SUPPORTED.major && minor >= SUPPORTED.minor)) {
    return undefined
  }
  if (major < OLDEST_MAJOR) {
    const text = `Redis ${version} is not used, because it is older than ${OLDEST_REDIS}: workers find their work in the database`
    return { isUsed: false, text }
  }
  const text = `Redis ${version} is older than ${OLDEST_REDIS}, with which the queue is known to work`
  return { isUsed: true, text }
}
