import { DELIMITER_LABELS } from '../../../../shared/delimiters'
import { encodingLabel } from '../../../../shared/encodings'
import { QUOTING_LABELS } from '../../../../shared/reading'
import type { SourceReading } from '../../../../shared/schemas/source-reading'
import { FileError, isTableError } from '../../file-error'

/**
 * Names the supplier's choices in the error of a table that could not be read: they may be its cause,
 * and they are what the supplier can change. Other errors are returned as they are.
 */
export function nameChoices(error: unknown, reading: SourceReading): unknown {
  if (!(error instanceof FileError) || !isTableError(error)) return error
  const { encoding, delimiter, quoting, skipLines } = reading
  const choices = [
    encoding !== null && `encoding, ${encodingLabel(encoding)},`,
    delimiter !== null && `delimiter, ${DELIMITER_LABELS[delimiter].toLowerCase()},`,
    quoting !== null && `quoting, ${QUOTING_LABELS[quoting].toLowerCase()},`,
    skipLines !== null && `number of lines to skip, ${skipLines},`,
  ].filter((choice) => choice !== false)
  if (choices.length === 0) return error
  const message = `The chosen ${choices.join(' and the ')} may not fit. ${error.message}`
  const { code, line } = error
  return new FileError(code, message, { cause: error, line })
}
