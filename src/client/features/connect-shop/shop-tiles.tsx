import { IconTiles } from '../../components/form/icon-tiles'
import { SHOPS, type Shop } from '../../lib/shop-view'
import { ShopGlyph } from './shop-glyph'
import { SHOP_LABELS } from './shops'

interface ShopTilesProps {
  chosen: Shop | undefined
  onChoose: (shop: Shop) => void
}

const glyphOf = (shop: Shop) => <ShopGlyph shop={shop} />

/** A choice among shops and programs. */
export const ShopTiles = ({ chosen, onChoose }: ShopTilesProps) => (
  <IconTiles
    label="Shop or program"
    choices={SHOPS}
    words={SHOP_LABELS}
    icon={glyphOf}
    chosen={chosen}
    onChoose={onChoose}
    columns={4}
    isWide
  />
)
