// Lint rules against flaky browser and process tests. no-single-read: a page, or the output of a
// program, must be read in a function passed to expect.poll or until, which repeat the read until
// it holds; a comment above a read, `// Read once: …`, gives a reason for an exception.
// no-vain-wait: no waits for a fixed time or for `networkidle`.

/** Locator and page methods that return the current state. */
const READS = new Set(
  'all allInnerTexts allTextContents ariaSnapshot boundingBox content count getAttribute innerHTML innerText inputValue isChecked isClosed isDisabled isEditable isEnabled isHidden isVisible output textContent title url'.split(
    ' ',
  ),
)
/** These can also act: one whose result is discarded is not a read. */
const EVALUATIONS = new Set(['evaluate', 'evaluateAll', 'evaluateHandle'])
/** Functions passed to these run in the page. */
const IN_PAGE = new Set([...EVALUATIONS, 'addInitScript', 'waitForFunction'])
const EXCUSE = /^\s*Read once: \S/
const NO_PAGE = /(?:request|response)$/i

/** @typedef {any} Node An ESTree node with its parent. */

/** @param {Node} node */
const isFunction = (node) => /Function/.test(node.type)

/** @param {Node} node @returns {string} the last name of `a`, `b.a` and `b.a()` */
function nameOf(node) {
  if (node?.type === 'CallExpression') return nameOf(node.callee)
  if (node?.type === 'MemberExpression') return nameOf(node.property)
  return node?.type === 'Identifier' ? node.name : ''
}

/** @param {Node} call */
function isRead({ callee, arguments: given, parent }) {
  if (callee.type !== 'MemberExpression') return false
  const name = nameOf(callee)
  if (EVALUATIONS.has(name)) {
    const user = parent.type === 'AwaitExpression' ? parent.parent : parent
    return user.type !== 'ExpressionStatement'
  }
  if (!READS.has(name) || NO_PAGE.test(nameOf(callee.object))) return false
  return name === 'getAttribute' || given.length === 0
}

/** @param {Node} node @returns whether it is passed to a call that repeats it */
function isRepeated({ parent }) {
  if (parent?.type !== 'CallExpression') return false
  const name = nameOf(parent.callee)
  return name === 'until' || (name === 'poll' && nameOf(parent.callee.object) === 'expect')
}

/** @param {Node} node @returns whether it is a declaration, import or property name, not a use */
function isMention(node) {
  const { type, id, key, property, computed } = node.parent
  if (/^(?:Import|Export)/.test(type)) return true
  if (type === 'Property') return key === node && node.parent.value !== node
  return id === node || (property === node && !computed)
}

/** @param {Node} fn @returns {Node} the function's declaration, such as `const read = () => …` */
function definitionOf(fn) {
  if (fn.type === 'FunctionDeclaration') return fn
  return fn.parent.type === 'VariableDeclarator' ? fn.parent : undefined
}

/** @param {Node} definition */
function isExported({ parent, type }) {
  const statement = type === 'VariableDeclarator' ? parent.parent : parent
  return statement.type === 'ExportNamedDeclaration'
}

/** @param {Node} node @param {any} sourceCode */
function isExcused(node, sourceCode) {
  /** @type {{ value: string }[]} */
  const comments = sourceCode.getCommentsBefore(node)
  return comments.some(({ value }) => EXCUSE.test(value))
}

/** @param {any} context */
function forbidSingleReads(context) {
  /** @type {Set<string>} names of functions that read: a use of one is a read itself */
  const readers = new Set(context.options[0]?.readers)
  /** @type {Node[]} */
  const found = []
  /** @type {Node[]} */
  const names = []
  const usesOf = (/** @type {(name: string) => boolean} */ isReader) =>
    names.filter((node) => isReader(node.name) && !isMention(node))

  /** @param {Node} read */
  function checkRead(read) {
    for (let node = read; node.type !== 'Program'; node = node.parent) {
      if (isRepeated(node) || isExcused(node, context.sourceCode)) return
      if (!isFunction(node)) continue
      if (IN_PAGE.has(nameOf(node.parent))) return
      const definition = definitionOf(node)
      const name = definition?.id.name
      if (readers.has(name)) return
      if (!definition) continue
      if (isExported(definition)) break
      readers.add(name)
      found.push(...usesOf((candidate) => candidate === name))
      return
    }
    context.report({
      node: read,
      message: `${nameOf(read)} reads the current state only once: read it in expect.poll or until`,
    })
  }

  return {
    /** @param {Node} node */
    CallExpression: (node) => void (isRead(node) && found.push(node)),
    /** @param {Node} node */
    Identifier: (node) => void names.push(node),
    'Program:exit'() {
      found.push(...usesOf((name) => readers.has(name)))
      for (let read = found.shift(); read; read = found.shift()) checkRead(read)
    },
  }
}

/** @param {any} context */
const forbidVainWaits = (context) => ({
  /** @param {Node} node */
  CallExpression(node) {
    const [first] = node.arguments
    const isVain = nameOf(node.callee) === 'waitForTimeout' || first?.value === 'networkidle'
    if (isVain) context.report({ node, message: 'Wait for a condition, or with waitUntilIdle' })
  },
})

// oxlint-disable-next-line import/no-default-export -- oxlint loads plugins from the default export
export default {
  meta: { name: 'e2e' },
  rules: {
    'no-single-read': { meta: { schema: [{ type: 'object' }] }, create: forbidSingleReads },
    'no-vain-wait': { create: forbidVainWaits },
  },
}
