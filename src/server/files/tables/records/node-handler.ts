/**
 * What is told of a document, XML or JSON: it consists of named nodes with texts, one in another. The items of a
 * list are nodes with the name of the list, as a list in XML is an element that repeats.
 */
export interface NodeHandler {
  /**
   * @param name with its prefix, if it has one
   * @param attributes names and values in turn, used again for the next node
   */
  open(name: string, kind: NodeKind, attributes?: readonly string[]): void
  /** @param isVerbatim whether blanks around it belong to it */
  text(text: string, isVerbatim: boolean): void
  close(): void
  /** A node that has only a text. */
  leaf(name: string, kind: NodeKind, text: string): void
  /** A list without items. */
  empty(name: string): void
  /**
   * Whether a list is wanted as one text. Its items are told in any case; then comes `endList`.
   */
  beginList(name: string): boolean
  /**
   * @param text the texts of the items, or JSON if they have a structure; null if it is too long
   * @param hasSeveral whether texts of items were joined
   */
  endList(name: string, text: string | null, hasSeveral: boolean): void
}

/** Of XML, the nodes alone: it has no values in lists. */
export type ElementNodes = Pick<NodeHandler, 'open' | 'text' | 'close'>

/**
 * node: an element, or a value in an object. item: a value in a list. tuple: a list in a list, whose values have
 * their positions as names.
 */
export type NodeKind = 'node' | 'item' | 'tuple'

/** Stands in a path for nodes of any name. */
export const ANY_NAME = '*'

/** Separates values of one name in a cell. */
export const VALUE_SEPARATOR = ' | '
