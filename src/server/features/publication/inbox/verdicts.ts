import type { ReceivedFileState } from '../../../../shared/constants'
import { formatCountOf, formatFileSize } from '../../../../shared/format'
import type { ReceivedFile } from '../../../../shared/schemas/received-file'

const SAYINGS: Record<ReceivedFileState, string> = {
  waiting: 'The file has arrived, and waits to be read.',
  reading: 'The file has arrived, and is being read.',
  published: 'The file is published.',
  unchanged: 'The file has the same content as the one that is published. Nothing had to be done.',
  held: 'The file is held: it is not published unless its supplier decides so.',
  refused: 'The file could not be used, and is not published.',
  skipped: 'The file was not read.',
}

/** What became of a file, as a file of its own that stands beside it. */
export function toVerdict(file: ReceivedFile): { name: string; text: string } {
  const { fileName, state, message, rows, sizeBytes, receivedAt, endedAt } = file
  const lines = [
    `${fileName}: ${state.toUpperCase()}`,
    '',
    SAYINGS[state],
    ...(message === null ? [] : [message]),
    '',
    `Received  ${toMinute(receivedAt)}, ${formatFileSize(sizeBytes)}`,
    ...(endedAt === null ? [] : [`Decided   ${toMinute(endedAt)}`]),
    ...(rows === null ? [] : [`Content   ${formatCountOf(rows, 'row')}`]),
  ]
  return { name: `${fileName}.${state.toUpperCase()}.txt`, text: `${lines.join('\r\n')}\r\n` }
}

/** `2026-01-15 08:30 UTC` */
const toMinute = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
