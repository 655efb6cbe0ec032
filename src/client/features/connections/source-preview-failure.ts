import { PARSE_FAILED } from '../../../shared/constants'
import { DOCUMENT_FORMS, type DocumentForm, documentNamed } from '../../../shared/table-forms'
import type { ShownHostKey } from '../../components/form/host-key-panel'
import { errorMessage, retryAfterSeconds, shownHostKey } from '../../lib/error-message'

/** What the server says of a file without a line. */
const EMPTY_FILE = 'CSV file is empty'

const TITLES = {
  fetched: {
    empty: [EMPTY_FILE, 'Empty CSV file: the source has no lines.'],
    unreadable: PARSE_FAILED,
    failed: 'Failed to fetch CSV file',
  },
  sent: {
    empty: ['The file is empty', 'It has no lines.'],
    unreadable: 'The file cannot be read',
    failed: 'The file could not be previewed',
  },
} as const

export interface PreviewFailure {
  title: string
  message?: string
  /** The file was fetched; another reading may succeed. */
  isOfFile: boolean
  /** What it is, if it is a document that cannot be read. */
  form?: DocumentForm | undefined
  /** The server is not trusted yet: nothing was sent to it. */
  shownKey?: ShownPartKey
}

/** The key that the server of one of the addresses has shown. */
export interface ShownPartKey extends ShownHostKey {
  part: 'config' | 'overlay'
}

/**
 * A problem of the file itself becomes the title; any other error means that the call failed.
 * @param origin whether the file is fetched from an address, or was sent by hand
 */
export function toPreviewFailure(error: unknown, origin: keyof typeof TITLES): PreviewFailure {
  const { empty, unreadable, failed } = TITLES[origin]
  const text = errorMessage(error, failed)
  const shownKey = shownHostKey(error)
  if (shownKey) return { title: failed, message: text, isOfFile: false, shownKey }
  const seconds = retryAfterSeconds(error)
  if (seconds !== undefined) {
    const message = 'Many previews were opened in a short time.'
    return { title: `Please wait ${seconds} s`, message, isOfFile: false }
  }
  if (text === EMPTY_FILE) return { title: empty[0], message: empty[1], isOfFile: true }
  if (!text.startsWith(`${PARSE_FAILED}. `))
    return { title: failed, message: text, isOfFile: false }
  const message = text.slice(PARSE_FAILED.length + 2)
  const form = DOCUMENT_FORMS.find((one) => message.startsWith(`${documentNamed(one)} `))
  return { title: unreadable, message, isOfFile: true, form }
}
