/** The codes of refusals, with the HTTP status that both transports respond with. */
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

/**
 * Why a call is refused, for programs: what the caller has to do first, what is wrong with an API key, or with the key
 * of a server.
 */
export type RefusalReason =
  | 'confirmation_required'
  | 'second_factor_required'
  | 'second_factor_setup_required'
  | 'key_unknown'
  | 'key_expired'
  | 'key_scope'
  | 'key_object'
  | 'key_network'
  | 'key_with_cookie'
  | 'key_not_accepted'
  | 'host_key_unconfirmed'
  | 'host_key_changed'
  | 'own_password_required'

/** Details of a refusal besides its message. */
type DomainErrorDetails = ErrorOptions & {
  /** How long to wait before retrying, if known. */
  retryAfterSeconds?: number
  /** Why, for programs. */
  reason?: RefusalReason
  /** The path of the input field to correct, such as `config.auth.password`. */
  field?: string
  /** The key that a server has shown, as it is entered to confirm it. */
  hostKey?: string
}

/** What is told of an error that is nobody else's. */
export const OUR_FAULT = 'Something went wrong on our side'

/** What may be told of an error. */
export const toReason = (error: unknown): string =>
  error instanceof DomainError ? error.message : OUR_FAULT

/** A refusal whose message is meant for the caller. */
export class DomainError extends Error {
  readonly code: DomainErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly field: string | undefined
  readonly reason: RefusalReason | undefined
  readonly hostKey: string | undefined

  constructor(code: DomainErrorCode, message: string, details: DomainErrorDetails = {}) {
    super(message, details)
    this.code = code
    this.retryAfterSeconds = details.retryAfterSeconds
    this.field = details.field
    this.reason = details.reason
    this.hostKey = details.hostKey
  }

  get status(): number {
    return STATUSES[this.code]
  }
}

export const notFound = (what: string) => new DomainError('NOT_FOUND', `${what} not found`)
