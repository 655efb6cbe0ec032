/** A parser that gets a text in pieces. */
type TextParser = { write(text: string): Promise<void> | void; end(): Promise<void> | void }
type OnRow = (row: readonly string[]) => void

const MAKERS: Record<string, (onRow: OnRow) => Promise<TextParser>> = {
  udsv: createUdsv,
  papaparse: createPapaparse,
  'csv-parse': createCsvParse,
}

/** Creates a parser of npm that is used as its documentation recommends for large files. */
export function createNpmParser(name: string, onRow: OnRow): Promise<TextParser> {
  const make = MAKERS[name]
  if (!make) throw new Error(`There is no parser ${name}`)
  return make(onRow)
}

async function createUdsv(onRow: OnRow): Promise<TextParser> {
  const { inferSchema, initParser } = await import('udsv')
  let parser: ReturnType<typeof initParser> | undefined
  return {
    write(text) {
      parser ??= initParser(inferSchema(text))
      parser.chunk<string[]>(text, parser.stringArrs, (row) => onRow(row))
    },
    end: () => void parser?.end(),
  }
}

/** It is given whole lines; what follows the last one is kept for the next piece. */
async function createPapaparse(onRow: OnRow): Promise<TextParser> {
  const { default: papaparse } = await import('papaparse')
  const read = (text: string) =>
    papaparse.parse<string[]>(text, { skipEmptyLines: true }).data.forEach(onRow)
  let rest = ''
  return {
    write(text) {
      const whole = rest + text
      const end = whole.lastIndexOf('\n')
      rest = whole.slice(end + 1)
      read(whole.slice(0, end + 1))
    },
    end: () => (rest === '' ? undefined : read(rest)),
  }
}

async function createCsvParse(onRow: OnRow): Promise<TextParser> {
  const { parse } = await import('csv-parse')
  const parser = parse()
  parser.on('data', onRow)
  const ended = new Promise<void>((resolve, reject) => {
    parser.once('end', resolve)
    parser.once('error', reject)
  })
  return {
    async write(text) {
      if (!parser.write(text)) await new Promise((resolve) => parser.once('drain', resolve))
    },
    end() {
      parser.end()
      return ended
    },
  }
}
