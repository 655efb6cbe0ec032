import { expect, it } from 'vitest'

import { APART, GROUPS, nameChunks } from './chunk-groups.mjs'

const LIBRARY = '/node_modules/library.js'
const ZOD = '/node_modules/zod/core.js'

/** A file with one module, which loads others. */
function draft(path: string, ...imports: string[]) {
  const id = path.startsWith('/') ? path : `/client/${path}`
  return { fileName: path, moduleIds: [id], imports }
}

it('puts code into the first file that needs it, and what several groups need into one for all', () => {
  const roots = [
    'pages/auth.page.tsx',
    'pages/invitation.page.tsx',
    'pages/upload.page.tsx',
    'layout/menu-drawer.tsx',
  ]
  const drafts = [
    ...[...roots, ...Object.values(GROUPS).flat()]
      .filter((path) => !path.endsWith('/connections.page.tsx') && !path.includes('upload.page'))
      .map((path) =>
        draft(path, 'main.tsx', ...(path.includes('inventory.page') ? ['rows.ts'] : [])),
      ),
    ...Object.entries(APART).flatMap(([name, paths]) =>
      paths.map((path) =>
        draft(path, 'main.tsx', ...(name.startsWith('shop') ? ['shop.ts', 'number.tsx', ZOD] : [])),
      ),
    ),
    draft('main.tsx', LIBRARY),
    draft('layout/app-shell.tsx', 'main.tsx', 'button.tsx', 'menu.tsx'),
    draft(
      'pages/connections.page.tsx',
      'main.tsx',
      'table.tsx',
      'menu.tsx',
      'connection.ts',
      'connection.css',
    ),
    draft('pages/upload.page.tsx', 'main.tsx', 'button.tsx', ZOD),
    draft('dialog.tsx', 'main.tsx', 'number.tsx', ZOD),
    ...[
      LIBRARY,
      'button.tsx',
      'menu.tsx',
      'table.tsx',
      'connection.ts',
      'connection.css',
      'rows.ts',
      'number.tsx',
      ZOD,
      'shop.ts',
    ].map((path) => draft(path)),
  ]
  const alerts = drafts.find(({ fileName }) => fileName === 'pages/alerts.page.tsx')
  alerts?.imports.push('table.tsx')
  const names = nameChunks('/client', drafts)
  expect(names.get(LIBRARY)).toBe('start')
  const nameOf = (path: string) => names.get(`/client/${path}`)
  expect(
    ['main.tsx', 'pages/auth.page.tsx', 'connection.css', 'button.tsx', 'menu.tsx'].map(nameOf),
  ).toEqual(['start', 'start', 'start', 'base', 'frame'])
  expect(['table.tsx', 'connection.ts', 'rows.ts'].map(nameOf)).toEqual([
    'shared',
    'role-supplier',
    'rows',
  ])
  expect(['pages/retailer-shop.page.tsx', 'shop.ts'].map(nameOf)).toEqual(['shop', 'shop'])
  expect(nameOf('features/connect-shop/guide-step.tsx')).toBe('shop-parts')
  expect([names.get(ZOD), nameOf('number.tsx')]).toEqual(['schemas', 'shop'])
  expect(['pages/upload.page.tsx', 'dialog.tsx'].map(nameOf)).toEqual([undefined, undefined])
})

it('refuses a build without one of the pages', () => {
  expect(() => nameChunks('/client', [draft('main.tsx')])).toThrow(
    'The build has no layout/app-shell.tsx',
  )
})
