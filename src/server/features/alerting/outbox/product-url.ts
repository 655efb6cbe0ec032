import type { Deps } from '../../../domain/deps'

/** The address of a page, for people who are not in the product. */
export function productUrl({ config }: Deps, path: string): string {
  const { publicUrl, port } = config
  return new URL(path, publicUrl ?? `http://localhost:${port}`).href
}
