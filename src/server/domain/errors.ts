/** What can go wrong by the rules of the product, with the status that both doors answer. */
const STATUSES = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  LIMIT_REACHED: 409,
  TOO_LARGE: 413,
  THROTTLED: 429,
  NOT_CONFIGURED: 501,
  UNAVAILABLE: 503,
} as const

export type DomainErrorCode = keyof typeof STATUSES

/** A refusal whose message is written for the person who caused it. */
export class DomainError extends Error {
  readonly code: DomainErrorCode
  /** How long to wait before trying again, where that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: DomainErrorCode,
    message: string,
    retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return STATUSES[this.code]
  }
}

export const notFound = (what: string) => new DomainError('NOT_FOUND', `${what} not found`)
