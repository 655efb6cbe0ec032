/** The changes of a kind, such as what was added, newest first. */
export interface ChangePart {
  name: string
  /** Plain text; code is in backticks. */
  changes: string[]
}

export interface Release {
  name: string
  parts: ChangePart[]
}

/** Reads the releases of a file in the manner of Keep a Changelog. */
export function readChangelog(text: string): Release[] {
  return split(text, '\n## ').map(([name, body]) => ({
    name: name === 'Unreleased' ? 'This version' : name,
    parts: split(body, '\n### ').map(([part, list]) => ({
      name: part,
      changes: split(list, '\n- ').map(([first, more]) => toPlainText(`${first} ${more}`)),
    })),
  }))
}

/** What follows each mark: its line, and the text up to the next mark. */
function split(text: string, mark: string): [line: string, body: string][] {
  const [, ...parts] = `\n${text}`.split(mark)
  return parts.map((part) => {
    const end = part.indexOf('\n')
    return end < 0 ? [part, ''] : [part.slice(0, end), part.slice(end)]
  })
}

/** Links are to documents that come with the product's source. */
const LINK = /\[([^[\]]*)\]\([^()[\]]*\)/g
/** Of interest to whoever updates a database only. */
const MIGRATION = / \(migrations? [^()]*\)/g

const toPlainText = (markdown: string) =>
  markdown.replaceAll(/\s+/g, ' ').replaceAll(LINK, '$1').replaceAll(MIGRATION, '').trim()

/**
 * What was added, but for commands, variables and calls: the rest is for whoever runs the product.
 */
export function forUsers(releases: Release[]): Release[] {
  return releases.map(({ name, parts }) => ({
    name,
    parts: parts
      .filter((part) => part.name === 'Added')
      .map((part) => ({
        ...part,
        changes: part.changes.filter((change) => !change.includes('`')),
      })),
  }))
}
