import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { type Role } from '../../../shared/constants'
import { FIRST_DATA_ID, type FirstData } from '../../../shared/first-data'

/** Pages without the frame of all others load other files at first. */
const OWN_PAGES: Record<string, string> = {
  '/auth': 'auth.html',
  '/upload': 'upload.html',
  '/invitation': 'invitation.html',
}

/** The frame of whoever is signed in, with the files that have the pages of their role. */
const ROLE_PAGES: Record<Role, string> = {
  SUPER_ADMIN: 'administrator.html',
  SUPPLIER: 'supplier.html',
  RETAILER: 'retailer.html',
}

/** Those of them whose pages have a file of their own, by their paths. */
const PATH_PAGES: Partial<Record<Role, Record<string, string>>> = {
  RETAILER: {
    '/retailer/inventory': 'retailer-rows.html',
    '/retailer/shop': 'retailer-shop.html',
  },
}

/** The names of the files that are pages, without those of compressed copies. */
export const PAGE_FILES = [
  'index.html',
  ...Object.values({ ...OWN_PAGES, ...ROLE_PAGES }),
  ...Object.values(PATH_PAGES).flatMap((pages) => Object.values(pages)),
]

export type PageFiles = {
  /** The page at a path for a role, or for whoever is not signed in. */
  find(path: string, role: Role | undefined): string
}

/** Reads the pages of the built client. @param directory its folder */
export async function readPageFiles(directory: string): Promise<PageFiles> {
  const texts = new Map(
    await Promise.all(
      PAGE_FILES.map(
        async (name) => [name, await readFile(join(directory, name), 'utf8')] as const,
      ),
    ),
  )
  return {
    find(path, role) {
      const own = OWN_PAGES[path.split('/', 2).join('/')]
      const ofRole = role && (PATH_PAGES[role]?.[path] ?? ROLE_PAGES[role])
      return texts.get(own ?? ofRole ?? 'index.html') ?? ''
    },
  }
}

/** A page with the data in an element that browsers do not run: no text in it can end the element. */
export function withFirstData(page: string, data: FirstData): string {
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  const element = `<script type="application/json" id="${FIRST_DATA_ID}">${json}</script>`
  return page.replace('</body>', () => `${element}</body>`)
}

export type CompressedPage = { plain: string; br: Buffer; gzip: Buffer }

/** For a page that is the same for everybody; one with the data of a user is not compressed with what others wrote. */
export function compressPage(plain: string): CompressedPage {
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain, { level: 9 }) }
}
