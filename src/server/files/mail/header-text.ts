/**
 * A structured header without its comments; what is quoted becomes one word, in which nothing separates anything.
 * One pass: headers are as long as their senders like.
 */
export function withoutComments(text: string): string {
  const kept: string[] = []
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\' && (isQuoted || depth > 0)) {
      at++
      if (isQuoted) kept.push('_')
    } else if (isQuoted) {
      if (character === '"') isQuoted = false
      else kept.push(/[\w.-]/.test(character) ? character : '_')
    } else if (character === '"' && depth === 0) {
      isQuoted = true
    } else if (character === '(') {
      depth++
    } else if (character === ')' && depth > 0) {
      depth--
      if (depth === 0) kept.push(' ')
    } else if (depth === 0) {
      kept.push(/\s/.test(character) ? ' ' : character)
    }
  }
  // What is never closed hides the rest for some readers, and not for others.
  return depth > 0 || isQuoted ? '' : kept.join('')
}

const MAX_FROM_CHARACTERS = 2_000
const ADDRESS = /^[\w.!#$%&'*/=?^`{|}~+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,10}$/

/** The one address of a `From` header, in lower case; null for none, for several, and where programs disagree. */
export function readSingleAddress(value: string): string | null {
  if (value.length > MAX_FROM_CHARACTERS) return null
  const text = withoutComments(value).trim()
  if (/[,;:]/.test(text)) return null
  const [before = '', inside, ...more] = text.split('<')
  if (more.length > 0) return null
  if (inside === undefined) return toAddress(before)
  // A name that is an address may be shown in place of the address.
  if (before.includes('@') || !inside.endsWith('>')) return null
  return toAddress(inside.slice(0, -1))
}

function toAddress(text: string): string | null {
  const address = text.trim().toLowerCase()
  return ADDRESS.test(address) ? address : null
}
