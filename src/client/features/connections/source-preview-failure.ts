import { PARSE_FAILED } from '../../../shared/constants'
import { errorMessage, retryAfterSeconds } from '../../lib/error-message'

const EMPTY_FILE = 'CSV file is empty'
const EMPTY_REASON = 'Empty CSV file: the source has no lines.'
const CALL_FAILED = 'Failed to fetch CSV file'

export interface PreviewFailure {
  title: string
  message?: string
  /** The file was fetched; another reading may succeed. */
  isOfFile: boolean
}

/** A problem of the file itself becomes the title; any other error means that the call failed. */
export function toPreviewFailure(error: unknown): PreviewFailure {
  const text = errorMessage(error, CALL_FAILED)
  const seconds = retryAfterSeconds(error)
  if (seconds !== undefined) {
    const message = 'Many previews were opened in a short time.'
    return { title: `Please wait ${seconds} s`, message, isOfFile: false }
  }
  if (text === EMPTY_FILE) return { title: EMPTY_FILE, message: EMPTY_REASON, isOfFile: true }
  if (!text.startsWith(`${PARSE_FAILED}. `)) {
    return { title: CALL_FAILED, message: text, isOfFile: false }
  }
  const message = text.slice(PARSE_FAILED.length + 2)
  return { title: PARSE_FAILED, message, isOfFile: true }
}
