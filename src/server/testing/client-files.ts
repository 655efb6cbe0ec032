import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Long enough to be worth compressing. */
export const CLIENT_PAGE = `<!doctype html><title>Stockbridge</title>${' '.repeat(2_000)}`

export const SIGN_IN_PAGE = CLIENT_PAGE.replace('Stockbridge', 'Sign in')

/** Writes files like a client build's: the pages, a file with a fixed name and a hashed one. */
export async function writeClientFiles(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), CLIENT_PAGE)
  await writeFile(join(folder, 'auth.html'), SIGN_IN_PAGE)
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'assets/app-1a2b.js'), 'start()')
  await writeFile(join(folder, 'assets/app-5e6f.js'), 'start();'.repeat(1_000))
}
