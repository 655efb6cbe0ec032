import { formatCount } from '../../../shared/format'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type { Dialect, FeedProblem } from '../../../shared/schemas/file'
import { DefinitionList } from '../../components/definition-list'

import classes from './source-preview-dialog.module.css'

const DELIMITER_NAMES: Record<Dialect['delimiter'], string> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Pipe',
  '~': 'Tilde',
}

/** `UTF-8 with BOM, gzip`. */
function formatEncoding(dialect: Dialect): string {
  const encoding = dialect.encoding.toUpperCase() + (dialect.hasByteOrderMark ? ' with BOM' : '')
  return dialect.compression === 'gzip' ? `${encoding}, gzip` : encoding
}

/** What was found in the part of the file that was read. */
export function SourceFindings({ preview }: { preview: SourcePreview }) {
  const { dialect, rowsRead, isPartial } = preview
  return (
    <>
      <DefinitionList
        items={[
          { term: 'Delimiter', value: DELIMITER_NAMES[dialect.delimiter] },
          { term: 'Encoding', value: formatEncoding(dialect) },
          {
            term: 'Rows read',
            value: isPartial ? `${formatCount(rowsRead)}, the file goes on` : formatCount(rowsRead),
          },
          { term: 'Columns', value: formatCount(preview.columns.length) },
          { term: 'Header', value: dialect.hasHeader ? 'First row' : 'None found' },
          { term: 'Category column', value: preview.categoryReading?.column ?? 'None found' },
        ]}
      />
      {preview.problems.length > 0 && <Problems problems={preview.problems} />}
    </>
  )
}

function Problems({ problems }: { problems: FeedProblem[] }) {
  return (
    <section className={classes.problems} aria-label="Problems in the file">
      <h3 className={classes.problemsTitle}>
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`} in the file
      </h3>
      <ul className={classes.problemList}>
        {problems.map(({ line, message, count }) => (
          <li key={`${line}:${message}`}>
            <span className={classes.line}>
              {line === null ? 'Whole file' : `Line ${formatCount(line)}`}
            </span>
            <span>
              {message}
              {count > 1 && ` (${formatCount(count)} times)`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
