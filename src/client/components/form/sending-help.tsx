import classes from './sending-help.module.css'

/** Which files are read, in one line beside the field. */
export const READABLE_FILES =
  'CSV, Excel (.xlsx), OpenDocument (.ods), XML, JSON, or a ZIP of one of them'

/** What docs/sending-files.md says at length. */
const ESSENTIALS = [
  [
    'Which files',
    'CSV and other text tables with any delimiter and encoding, Excel workbooks (.xlsx, .xlsm), OpenDocument spreadsheets (.ods, .fods), tables that programs export for Excel as HTML or XML (.xls, .xml), lists of products in XML and JSON, also packed (ZIP, gzip, zstd). Save workbooks of Excel 97 to 2003 (.xls) as .xlsx first.',
  ],
  [
    'Where it may be',
    'At a web address, in a bucket (s3://), at an SFTP or FTP server (sftp://, ftps://, ftp://), or behind a link of Google Sheets, Dropbox, GitHub or GitLab. At a server, a * in the name stands for any text: the newest file is read.',
  ],
  ['Or sent', 'Here, by a script, by the upload link, or by SFTP if your operator has set it up.'],
  [
    'One header row',
    'A name for each column, and one product in each row below. Titles above the table are skipped.',
  ],
  [
    'A column of keys',
    'An SKU or article number for each product, never twice: by it you see what has changed between two files.',
  ],
  [
    'Leading zeros',
    'Excel drops those of 00123, and the last digits of very long numbers. Format such columns as Text before you type or paste.',
  ],
  [
    'Sheets',
    'The sheet that was read before, or the first one with a table, unless others are chosen in the settings of the connection.',
  ],
  [
    'XML and JSON',
    'The list of products is found by itself, and each variant is a row. The preview shows which other lists there are, to choose from.',
  ],
  [
    'Only what has changed',
    'If your file has only the items that have changed, say so in the settings of the connection: it is merged with what is published.',
  ],
  [
    'When something does not fit',
    'The file is refused, retailers keep the last good one, and you see what is wrong and what to do.',
  ],
] as const

/** How a file is to be, for whoever sends it or has it fetched; closed at first. */
export const SendingHelp = () => (
  <details className={classes.help}>
    <summary>How to send your file</summary>
    <dl>
      {ESSENTIALS.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </details>
)
