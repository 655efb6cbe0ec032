import { lazyPart } from '../../components/feedback/lazy-part'

/** The form in which a shop gets its file. */
export const ShopFormatCard = lazyPart(
  async () => (await import('./shop-format-panel')).ShopFormatPanel,
  { name: 'shop format', height: 150 },
)
