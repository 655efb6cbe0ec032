import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

const listFiles = (folder: string, recursive: boolean) =>
  readdirSync(folder, { recursive, encoding: 'utf8' }).map((path) => join(folder, path))
const documents = [
  ...listFiles('.', false),
  ...['docs', 'src'].flatMap((folder) => listFiles(folder, true)),
].filter((path) => path.endsWith('.md'))

/** What a document's links and pictures point to, inside of the repository. */
function listTargets(document: string): string[] {
  const links = readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)
  return [...links].map(([, target = '']) => target).filter((target) => !/^\w+:/.test(target))
}

/** The anchors of a document's headings, as they are made of their words. */
function listAnchors(document: string): string[] {
  const headings = readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documents', () => {
  it('are all read', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md']))
  })

  it.each(documents)('%s points to what is there', (document) => {
    const broken = listTargets(document).filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? document : join(dirname(document), path)
      if (!existsSync(file)) return true
      return anchor !== undefined && !listAnchors(file).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})
