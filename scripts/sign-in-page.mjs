// The page of /auth with its form, which is shown and works before any script has run.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { parse } from 'postcss'

/**
 * Writes the page with a place for the form, and the forms. What the page shows needs no other file: it has the rules
 * that concern it, and a script for its colours.
 * @param {string} folder of the client
 * @param {{
 *   renderSignInForms: () => Promise<Record<string, string>>,
 *   SIGN_IN_PLACES: { form: string },
 *   COLOR_SCHEME_SCRIPT: string,
 * }} client the built src/client/prerender.tsx
 */
export async function writeSignInPage(folder, client) {
  const forms = await client.renderSignInForms()
  const place = client.SIGN_IN_PLACES.form
  const page = readFileSync(join(folder, 'auth.html'), 'utf8')
  const sheet = partOf(page, '<link rel="stylesheet" crossorigin href="/', '"')
  const all = Object.values(forms).join('')
  // A later rule would win over the ones in the form: those come from the theme.
  const [first = ''] = Object.values(forms)
  const ofTheme = partOf(first, STYLE, '</style>').replaceAll(/:root(?!:)/g, ':root:root')
  const style = cutStyle(`${readFileSync(join(folder, sheet), 'utf8')}\n${ofTheme}`, all)
  const shown = partOf(page, '<div id="start">', '<link ')
  const withForm = afterTheForm(page)
    .replace(shown, `${place}${END}</div>`)
    .replace('<html ', '<html data-mantine-color-scheme="light" ')
    .replace(
      '</head>',
      () =>
        `${UNTIL_WHOLE}<style>${style}</style><script>${client.COLOR_SCHEME_SCRIPT}</script></head>`,
    )
  if (!withForm.includes(place)) throw new Error('The page has no place for the form')
  writeFileSync(join(folder, 'sign-in.html'), withForm)
  const bare = Object.entries(forms).map(([name, html]) => [name, withoutStyles(html)])
  writeFileSync(join(folder, 'sign-in.json'), JSON.stringify(Object.fromEntries(bare)))
}

/**
 * The page is complete without its files: whatever comes first is to be the page.
 * @param {string} page
 */
const afterTheForm = (page) =>
  page.replaceAll(
    /<(script type="module"|link rel="preload" as="style"|link rel="stylesheet")/g,
    '<$1 fetchpriority="low"',
  )

/**
 * Lets browsers wait for the end of the form: half of it, in the middle of the screen, would move when the rest comes.
 * The end is an element of its own, because Chromium waits for the start of one. Firefox and Safari do not wait.
 */
const UNTIL_WHOLE = '<link rel="expect" href="#whole" blocking="render">'
const END = '<span id="whole"></span>'

/** What the theme says. */
const STYLE = '<style data-mantine-styles="true">'

/** @param {string} text @param {string} start @param {string} end @returns what is between these, first */
function partOf(text, start, end) {
  const [, ...rest] = text.split(start)
  const [part = '', ...others] = rest.join(start).split(end)
  if (others.length === 0) throw new Error(`The page has no ${start}`)
  return part
}

/** @param {string} html */
const withoutStyles = (html) =>
  html
    .split('<style data-mantine-styles')
    .map((part, index) => (index === 0 ? part : part.split('</style>').slice(1).join('</style>')))
    .join('')

/**
 * The rules of a style sheet that concern an HTML text: its classes, and the variables that these rules use.
 * @param {string} css @param {string} html
 */
function cutStyle(css, html) {
  const classes = new Set(
    [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')),
  )
  const root = parse(css)
  root.walkAtRules((rule) => {
    const isLatin = rule.toString().includes('latin-wght')
    if (rule.name === 'keyframes' || rule.params === 'print') rule.remove()
    else if (rule.name === 'font-face' && !isLatin) rule.remove()
  })
  root.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) => {
      const names = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name)
      return !selector.includes(':host') && names.every((name) => classes.has(name))
    })
    if (kept.length > 0) rule.selectors = kept
    else rule.remove()
  })
  removeUnusedVariables(root, html)
  root.walk((node) => {
    if (
      (node.type === 'rule' || (node.type === 'atrule' && node.name !== 'font-face')) &&
      node.nodes?.length === 0
    )
      node.remove()
  })
  return root.toString()
}

/** @param {import('postcss').Root} root @param {string} html */
function removeUnusedVariables(root, html) {
  let removed = 0
  do {
    removed = 0
    const used = new Set(
      [...(root.toString() + html).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name),
    )
    root.walkDecls(/^--/, (declaration) => {
      if (used.has(declaration.prop)) return
      declaration.remove()
      removed += 1
    })
  } while (removed > 0)
}
