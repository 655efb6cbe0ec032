import type { ReactNode } from 'react'

import type { Shop } from '../../lib/shop-view'

/** A small drawing of what a shop or program looks like; names are beside it. */
export function ShopGlyph({ shop }: { shop: Shop }) {
  return (
    <svg
      width={28}
      height={28}
      viewBox="0 0 28 28"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {GLYPHS[shop]}
    </svg>
  )
}

const GLYPHS: Record<Shop, ReactNode> = {
  // A shopping bag.
  shopify: <path d="M6.5 9.5h15l1 13.5h-17zM10 12V8.5a4 4 0 0 1 8 0V12" />,
  // A basket with a tag.
  woocommerce: (
    <path d="M4 8h20l-2.2 10a2 2 0 0 1-2 1.5H8.2a2 2 0 0 1-2-1.5zM10 12.5v3M14 12.5v3M18 12.5v3M11 24h.01M17 24h.01" />
  ),
  // A tag among search results.
  google: (
    <path d="M12.5 5H22a1 1 0 0 1 1 1v9.5L14.5 24a1.4 1.4 0 0 1-2 0L4 15.5a1.4 1.4 0 0 1 0-2zM18.5 9.5h.01" />
  ),
  // Shelves of a warehouse.
  adobe: <path d="M4 24V10l10-6 10 6v14M9 24v-9h10v9M9 19.5h10" />,
  // A table with a header.
  excel: <path d="M5 5h18v18H5zM5 11h18M11 5v18M5 17h18" />,
  // A sheet with a folded corner.
  sheets: <path d="M8 4h8l5 5v15H8zM16 4v5h5M11.5 14h6M11.5 17h6M11.5 20h6M14.5 14v6" />,
  // A prompt.
  script: <path d="M4 6h20v16H4zM8.5 11l3 3-3 3M14 17.5h5" />,
  // Two ends of a plug.
  other: <path d="M10 4v5M18 4v5M7 9h14v4a7 7 0 0 1-14 0zM14 20v4" />,
}
