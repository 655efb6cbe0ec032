/** The server of the files does not answer or refuses: what was asked may work again soon. */
export class UnreachableStoreError extends Error {}

/** It refuses for a reason that time does not mend: the message says what the operator can do. */
export class RefusedStoreError extends UnreachableStoreError {}

type ServiceError = Error & { $metadata?: { httpStatusCode?: number }; Code?: string }

/** What to do about errors that time does not mend, for the operator. */
const ADVICE: Record<string, string> = {
  NoSuchBucket: 'The bucket does not exist: see STORAGE_URL and BACKUP_URL',
  InvalidAccessKeyId: 'The access key is unknown: see S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'The secret key is wrong: see S3_SECRET_ACCESS_KEY',
  AccessDenied: 'The access key may not use the bucket: see S3_ACCESS_KEY_ID',
  RequestTimeTooSkewed: 'The clocks of this machine and of the server differ too much',
}
/** A HEAD request's answer has no text: its status must do. */
const ADVICE_BY_STATUS: Record<number, string> = {
  301: 'The bucket is in another region: see S3_REGION',
  403: 'The server refuses the keys: see S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  404: 'The bucket does not exist: see STORAGE_URL and BACKUP_URL',
}

/** Describes an error of the client library by its cause; the library's own text is its cause only. */
export function toStoreError(error: unknown): UnreachableStoreError {
  if (error instanceof UnreachableStoreError) return error
  const { name, Code, $metadata } = error as ServiceError
  const status = $metadata?.httpStatusCode
  const advice = ADVICE[Code ?? name] ?? ADVICE[name] ?? ADVICE_BY_STATUS[status ?? 0]
  if (advice !== undefined) return new RefusedStoreError(advice, { cause: error })
  const answer = status === undefined ? 'does not answer' : `answers with ${status}`
  return new UnreachableStoreError(`The S3 server ${answer}`, { cause: error })
}

/** The status of the server's answer; 0 without any. */
export const statusOf = (error: unknown): number =>
  (error as ServiceError).$metadata?.httpStatusCode ?? 0

/** Whether the server has answered that it does not do what was asked; not that it is at fault, or busy. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error)
  return status === 501 || (status >= 400 && status < 500 && status !== 429)
}

/** Whether an error says that there is no such object, in a bucket that exists. */
export function isMissingObject(error: unknown): boolean {
  const { name, Code } = error as ServiceError
  return ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(Code ?? name)
}

/** As of a missing file, so that callers need not know where files are. */
export function missingObject(name: string): Error {
  return Object.assign(new Error(`ENOENT: there is no object ${name}`), { code: 'ENOENT' })
}
