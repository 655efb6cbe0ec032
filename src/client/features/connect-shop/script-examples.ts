import { ADDRESS_USER_NAME } from '../../../shared/address-protection'
import { WORKBOOK_NAME } from '../../../shared/shop-formats'

/** How a script reads a feed address. */
export interface ScriptExample {
  /** Also its value in lists. */
  program: string
  /** What to do with the code, and what to know. */
  note: string
  code: string
}

/** The address that answers with rows as text where the shop's own is that of a workbook. */
export const toTextUrl = (url: string, format: 'csv' | 'json') =>
  isWorkbook(url) ? `${url.slice(0, -WORKBOOK_NAME.length)}inventory.csv?format=${format}` : url

const isWorkbook = (url: string) => url.endsWith(`/${WORKBOOK_NAME}`)

/**
 * Examples for the languages that scripts are written in.
 * @param url the whole address
 * @param password that it asks for; null without one
 */
export function listScriptExamples(
  url: string,
  password: string | null = null,
): [ScriptExample, ...ScriptExample[]] {
  const bearer = `"Bearer ${password}"`
  const init = password === null ? '' : `, { headers: { authorization: ${bearer} } }`
  const options = password === null ? '' : `, storage_options={"Authorization": ${bearer}}`
  return [
    {
      program: 'curl',
      note: 'Downloads the file only when it has changed since the last time.',
      code: [
        'curl --fail --silent --show-error --retry 3 \\',
        '  --etag-compare inventory.etag --etag-save inventory.etag \\',
        ...(password === null ? [] : [`  -u ${ADDRESS_USER_NAME}:${password} \\`]),
        `  --output ${isWorkbook(url) ? WORKBOOK_NAME : 'inventory.csv'} "${url}"`,
      ].join('\n'),
    },
    {
      program: 'JavaScript',
      note: 'With format=json, the file has one JSON object on each line. The first answer may be 503 until it is written: try again after some seconds.',
      code: [
        `const answer = await fetch("${isWorkbook(url) ? toTextUrl(url, 'json') : `${url}?format=json`}"${init})`,
        'if (!answer.ok) throw new Error(`The file is not ready: ${answer.status}`)',
        'const lines = (await answer.text()).trimEnd().split("\\n")',
        'const rows = lines.map((line) => JSON.parse(line))',
      ].join('\n'),
    },
    {
      program: 'Python',
      note: 'With pandas. All columns are read as text, so that leading zeros are kept. The address that ends in inventory.parquet instead has the same rows as Parquet.',
      code: [
        'import pandas',
        '',
        `inventory = pandas.${isWorkbook(url) ? 'read_excel' : 'read_csv'}("${url}", dtype=str${options})`,
      ].join('\n'),
    },
  ]
}
