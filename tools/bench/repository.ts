import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The figures of the last whole run. */
export const RESULTS = 'tools/bench/RESULTS.md'
/** All files but these figures. */
const SOURCES = [':/', `:(top,exclude)${RESULTS}`]

/** The sources that are measured. */
export type Sources = {
  /** That is checked out. */
  commit: string
  /** Whether files differ from it. */
  isChanged: boolean
}

export type Repository = {
  /** @returns undefined without git, or outside of a repository */
  readSources(): Promise<Sources | undefined>
  writeResults(text: string): Promise<void>
}

/** @param root the folder of its files */
export function openRepository(root: string): Repository {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()
  return {
    async readSources() {
      try {
        const commit = await git('rev-parse', 'HEAD')
        const changes = await git('status', '--porcelain', '--', ...SOURCES)
        return { commit, isChanged: changes !== '' }
      } catch {
        return undefined
      }
    },
    writeResults: (text) => writeFile(join(root, RESULTS), text),
  }
}
