/** Who looks at the connection of a shop, in the words of the page. */
export interface ShopViewer {
  role: 'retailer' | 'supplier'
  stateTitle: string
  /** Within a sentence, and at its beginning. */
  shop: string
  Shop: string
  ofFormat: string
  ofAddress: string
  /** Said to those whose role does not include it. */
  whoConnects: string
  whoChooses: string
}

export const SHOP_VIEWERS: Record<ShopViewer['role'], ShopViewer> = {
  retailer: {
    role: 'retailer',
    stateTitle: 'Your shop',
    shop: 'your shop',
    Shop: 'Your shop',
    ofFormat: 'The form in which you and your shop get the file',
    ofAddress: 'Where your shop reads its file by itself',
    whoConnects: 'Owners and technicians of your company create it.',
    whoChooses: 'Owners and technicians of your company choose it.',
  },
  supplier: {
    role: 'supplier',
    stateTitle: 'The shop',
    shop: 'the shop',
    Shop: 'The shop',
    ofFormat: 'The form in which the retailer and its shop get the file',
    ofAddress: 'Where the shop reads its file by itself: send it to the retailer',
    whoConnects: 'Owners and editors of your company create it.',
    whoChooses: 'Owners and editors of your company choose it.',
  },
}
