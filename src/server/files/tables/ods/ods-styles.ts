import type { ElementHandler } from '../xml-parser'
import type { ZeroFormat } from './number-formats'
import { createStylePart } from './style-part'

/** What styles say of cells and sheets. */
export interface OdsStyles {
  /** Finds the styles of `styles.xml` that have names for people. */
  named: ElementHandler
  /** Finds those that programs make for the cells of `content.xml`, before which they stand. */
  automatic: ElementHandler
  isSheetHidden(style: string): boolean
  /** How the style of a cell shows this number, if it does so with leading zeros. */
  findZeros(style: string, value: number): ZeroFormat | undefined
}

/** Styles that inherit from each other in a circle would have no end. */
const MAX_PARENTS = 20

export function createOdsStyles(): OdsStyles {
  const named = createStylePart('styles')
  const automatic = createStylePart('automatic-styles')

  /** Both parts may have a format with the same name: a style means the one of its own part, if that has one. */
  function findFormat(name: string): (value: number) => ZeroFormat | undefined {
    let part = automatic.find('table-cell', name) ? automatic : named
    let style = part.find('table-cell', name)
    for (let parents = 0; style && parents < MAX_PARENTS; parents++) {
      const { format, parent } = style
      if (format !== undefined) {
        const { formats } = part.formats.has(format) ? part : named
        return (value) => formats.find(format, value)
      }
      // Only styles with names have others below them.
      part = named
      style = named.find('table-cell', parent)
    }
    return () => undefined
  }

  return {
    named,
    automatic,
    isSheetHidden(name) {
      const style = automatic.find('table', name) ?? named.find('table', name)
      return style?.isHidden ?? false
    },
    findZeros(name, value) {
      const style = automatic.find('table-cell', name) ?? named.find('table-cell', name)
      if (!style) return undefined
      style.findZeros ??= findFormat(name)
      return style.findZeros(value)
    },
  }
}
