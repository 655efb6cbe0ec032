/** How a program reads a feed address. */
export interface FeedExample {
  /** Also its value in lists. */
  program: string
  /** What to do with the code, and what to know. */
  note: string
  code: string
}

/** Examples for the programs that shops use most. @param url the whole address */
export function listFeedExamples(url: string): FeedExample[] {
  return [
    {
      program: 'curl',
      note: 'Downloads the file only when it has changed since the last time, for example every quarter of an hour from a scheduler.',
      code: [
        'curl --fail --silent --show-error --retry 3 \\',
        '  --etag-compare inventory.etag --etag-save inventory.etag \\',
        `  --output inventory.csv "${url}"`,
      ].join('\n'),
    },
    {
      program: 'JSON',
      note: 'With format=json, the file has one JSON object on each line. The first answer may be 503 until it is written: try again after some seconds.',
      code: [
        `const answer = await fetch("${url}?format=json")`,
        'if (!answer.ok) throw new Error(`The file is not ready: ${answer.status}`)',
        'const lines = (await answer.text()).trimEnd().split("\\n")',
        'const rows = lines.map((line) => JSON.parse(line))',
      ].join('\n'),
    },
    {
      program: 'Google Sheets',
      note: 'Put this into the first cell of an empty sheet. Google reads it again about every hour.',
      code: `=IMPORTDATA("${url}")`,
    },
    {
      program: 'Excel',
      note: 'Data, Get Data, From Other Sources, Blank Query, Advanced Editor: paste this. All columns stay text, so that leading zeros are kept.',
      code: [
        'let',
        `  File = Web.Contents("${url}"),`,
        '  Table = Csv.Document(File, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv])',
        'in',
        '  Table.PromoteHeaders(Table)',
      ].join('\n'),
    },
    {
      program: 'WooCommerce',
      note: 'WooCommerce itself imports only uploaded files. An import plugin reads an address: in WP All Import, choose New Import, Download a file, From URL, and paste this.',
      code: url,
    },
    {
      program: 'Python',
      note: 'With pandas. All columns are read as text, so that leading zeros are kept.',
      code: ['import pandas', '', `inventory = pandas.read_csv("${url}", dtype=str)`].join('\n'),
    },
  ]
}
