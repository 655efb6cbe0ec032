declare const owned: unique symbol

/**
 * A row that was found by a query scoped to its owner. Functions that change rows accept only this
 * type, so that a write without an ownership check does not compile.
 */
export type Owned<T> = T & { readonly [owned]: true }

/** Brands a row that a scoped query has found; must be called by such queries only. */
export function asOwned<T>(row: T): Owned<T> {
  return row as Owned<T>
}
