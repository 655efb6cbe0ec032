/** What can go wrong by the rules of the product, with the status thover both transports answer. */
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

/** What a refusal says besides its message. */
type DomainErrorDetails = ErrorOptions & {
  /** How long to wait before trying again, where that is known. */
  retryAfterSeconds?: number
  /** The path of the input's field that is to be corrected, such as `config.auth.password`. */
  field?: string
}

/** A refusal whose message is written for the person who caused it. */
export class DomainError extends Error {
  readonly code: DomainErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly field: string | undefined

  constructor(code: DomainErrorCode, message: string, details: DomainErrorDetails = {}) {
    super(message, details)
    this.code = code
    this.retryAfterSeconds = details.retryAfterSeconds
    this.field = details.field
  }

  get status(): number {
    return STATUSES[this.code]
  }
}

export const notFound = (what: string) => new DomainError('NOT_FOUND', `${what} not found`)
