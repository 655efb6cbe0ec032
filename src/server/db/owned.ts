declare const owned: unique symbol

/**
 * A row that was found within its reader's scope. Only such a row can be changed, so that a write
 * whose owner nobody checked does not compile.
 */
export type Owned<T> = T & { readonly [owned]: true }

/** Marks what a query with a scope has found; only the scoped queries call it. */
export function asOwned<T>(row: T): Owned<T> {
  return row as Owned<T>
}
