import { type DocumentForm, documentNamed } from '../../../../shared/table-forms'
import { FileError } from '../../file-error'
import { NOT_UTF8 } from '../text-decoder'
import { MAX_CELL_CHARACTERS } from '../workbook'

/** @param place where in the document, for example `line 12` */
export function damagedDocument(
  form: DocumentForm,
  why: string,
  place: string,
  line: number,
): FileError {
  const also = why === NOT_UTF8 ? ', or choose its encoding' : ''
  return new FileError(
    'document-damaged',
    `${documentNamed(form)} is damaged: ${why} (${place}). Correct it in the program that writes it${also}.`,
    { line },
  )
}

export function truncatedDocument(form: DocumentForm): FileError {
  // All that follows may be taken for the name of an entity.
  const also = form === 'xml' ? ', or has an “&” that is not written “&amp;”' : ''
  return new FileError(
    'truncated',
    `${documentNamed(form)} breaks off before its end${also}. See that it is written and sent as a whole.`,
  )
}

export function documentTooLarge(what: string): FileError {
  return new FileError('document-too-large', `The file has ${what}.`)
}

export function fieldTooLong(name: string, record: number): FileError {
  const most = MAX_CELL_CHARACTERS.toLocaleString('en')
  return new FileError(
    'document-too-large',
    `The field “${name.slice(0, 100)}” of record ${record.toLocaleString('en')} has more than ${most} characters. Shorten it.`,
    { line: record },
  )
}
