import { useId } from 'react'

import { SHOPS, type Shop } from '../../lib/shop-view'
import { ShopGlyph } from './shop-glyph'
import { SHOP_LABELS } from './shops'

import classes from './shop-tiles.module.css'

interface ShopTilesProps {
  chosen: Shop | undefined
  onChoose: (shop: Shop) => void
}

/** A choice among shops and programs, each in its tile; arrow keys move in it. */
export function ShopTiles({ chosen, onChoose }: ShopTilesProps) {
  const name = useId()
  return (
    <div className={classes.tiles} role="radiogroup" aria-label="Shop or program">
      {SHOPS.map((shop) => (
        <label key={shop} className={classes.tile}>
          <input
            type="radio"
            className={classes.input}
            name={name}
            aria-describedby={`${name}-${shop}`}
            aria-label={SHOP_LABELS[shop].name}
            checked={shop === chosen}
            onChange={() => onChoose(shop)}
          />
          <span className={classes.glyph}>
            <ShopGlyph shop={shop} />
          </span>
          <span className={classes.texts}>
            <span className={classes.name}>{SHOP_LABELS[shop].name}</span>
            <span className={classes.note} id={`${name}-${shop}`}>
              {SHOP_LABELS[shop].note}
            </span>
          </span>
        </label>
      ))}
    </div>
  )
}
