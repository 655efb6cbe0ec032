/** A parser that gets a text in pieces. */
type TextParser = { write(text: string): Promise<void> | void; end(): Promise<void> | void }
type OnRow = (row: readonly string[]) => void

/** Not known to the compiler, because they are installed by whoever wants to compare with them. */
type Papaparse = { parse(text: string, options: { header: false }): { data: string[][] } }
type Udsv = {
  inferSchema(text: string): unknown
  initParser(schema: unknown): {
    chunk(text: string, parse: unknown, onRows: (rows: string[][]) => void): void
    end(): void
    stringArrs: unknown
  }
}

/** Creates a parser of npm that is used as its documentation recommends for speed. */
export async function createNpmParser(name: string, onRow: OnRow): Promise<TextParser> {
  if (name === 'csv-parse') return createCsvParse(onRow)
  const module = (await import(name)) as unknown
  if (name === 'papaparse')
    return createPapaparse((module as { default: Papaparse }).default, onRow)
  return createUdsv(module as Udsv, onRow)
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
      if (parser.write(text)) return
      await new Promise((resolve) => parser.once('drain', resolve))
    },
    end() {
      parser.end()
      return ended
    },
  }
}

/** Gets whole lines, whose last one is kept for the next piece. */
function createPapaparse({ parse }: Papaparse, onRow: OnRow): TextParser {
  let rest = ''
  const read = (text: string) => parse(text, { header: false }).data.forEach(onRow)
  return {
    write(text) {
      const whole = rest + text
      const end = whole.lastIndexOf('\n') + 1
      rest = whole.slice(end)
      if (end > 1) read(whole.slice(0, end - 1))
    },
    end: () => (rest === '' ? undefined : read(rest)),
  }
}

function createUdsv({ inferSchema, initParser }: Udsv, onRow: OnRow): TextParser {
  let parser: ReturnType<Udsv['initParser']> | undefined
  return {
    write(text) {
      parser ??= initParser(inferSchema(text))
      parser.chunk(text, parser.stringArrs, (rows) => rows.forEach(onRow))
    },
    end: () => parser?.end(),
  }
}
